"""Which actions go into the audit trail, and what is said of them: *an action that was done* → an entry.

Deleting, bringing back, taking out and changing what holds for everybody are noted, with the name of what they were
done to. Asking and reading are not.
"""

from __future__ import annotations

from core.accounts.records import AuditKind
from core.errors import PalimpsestError
from core.workbench import Workbench
from pages.actions import Action, Call, OneDocument
from pages.auth import Requested, address_of, settled

_KINDS: dict[AuditKind, str] = {
    "deleted": """delete_document remove_book delete_conversation delete_bank_item archive_bank_item delete_personality
        delete_set detach remove_goal remove_value remove_aim forget_agreement forget_open_data remove_tool_server
        discard_upload archive_memory""",
    "restored": """undelete_document undo_detach undelete_set restore_conversation restore_bank_item undelete_bank_item
        restore_bank_version restore_tool_server restore""",
    "exported": "export_conversation export_graph backup",
    "changed": """change_limit choose_model quote_only limit_spending add_tool_server edit_tool_server
        switch_tool_server switch_tool switch_feature build_open_data take_in_open_data promote_memory
        receive_backup share_document take_back_document share_set take_back_set
        reindex reindex_pause reindex_resume reindex_roll_back reindex_promote repair""",
    "key_made": "create_api_key",
    "key_revoked": "revoke_api_key",
    "account_made": "add_person",
    "account_changed": "change_password reset_password change_role change_group sign_out_person sign_out_everywhere",
    "account_removed": "remove_person delete_account",
}
KIND_OF: dict[str, AuditKind] = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_SUBJECTS = ("name", "person", "backup", "provider", "title", "slug", "id")
"""Fields that say what an action was done to, the plainest first."""


class Auditor:
    """Knows what things are called before they are gone."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    async def subject(self, action: Action, user_id: str, call: Call) -> str | None:
        """What the action is about to be done to; ``None`` where it is not noted."""
        if kind_of(action) is None:
            return None
        if isinstance(call, OneDocument):
            try:
                return (await self._workbench.library.get(user_id, call.id)).filename
            except PalimpsestError:
                return call.id
        given = call.model_dump()
        return next((str(given[name]) for name in _SUBJECTS if given.get(name)), "")

    async def note(self, action: Action, user_id: str, subject: str, request: Requested | None) -> None:
        if kind := kind_of(action):
            await note(self._workbench, user_id, kind, action.called, subject, request)


def kind_of(action: Action) -> AuditKind | None:
    return KIND_OF.get(action.called)


async def note(
    workbench: Workbench, user_id: str, kind: AuditKind, action: str, subject: str, request: Requested | None
) -> None:
    """An entry, with from where it was asked and how the caller showed who they are."""
    caller = settled(request)
    by = caller.by if caller else "session"
    await workbench.audit.note(user_id, kind, action=action, subject=subject, address=address_of(request), by=by)


async def note_download(workbench: Workbench, user_id: str, action: str, subject: str, request: Requested) -> None:
    """What is taken out as a file; ``subject`` is the file's name."""
    await note(workbench, user_id, "exported", action, subject, request)
