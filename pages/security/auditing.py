"""Writes the audit trail: an action or a downloaded file → an entry that names its subject."""

from __future__ import annotations

from core.accounts.records import AuditKind
from core.errors import PalimpsestError
from core.workbench import Workbench
from pages.actions import Action, Call, OneDocument
from pages.auth import Requested, address_of, settled

_SUBJECTS = ("name", "person", "backup", "provider", "title", "slug", "id")
"""Fields that identify the object of an action, the most readable one first."""


class Auditor:
    """Looks up the names of objects before an action runs, because it may delete them."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    async def subject(self, action: Action, user_id: str, call: Call) -> str | None:
        """The name of the object that the action is about to change; ``None`` if the action is not recorded."""
        if action.doors.noted is None:
            return None
        if isinstance(call, OneDocument):
            try:
                return (await self._workbench.library.get(user_id, call.id)).filename
            except PalimpsestError:
                return call.id
        given = call.model_dump()
        return next((str(given[name]) for name in _SUBJECTS if given.get(name)), "")

    async def note(self, action: Action, user_id: str, subject: str, request: Requested | None) -> None:
        if kind := action.doors.noted:
            await note(self._workbench, user_id, kind, action.called, subject, request)


async def note(
    workbench: Workbench, user_id: str, kind: AuditKind, action: str, subject: str, request: Requested | None
) -> None:
    """Writes an audit entry, with the client's address and the kind of authentication."""
    caller = settled(request)
    by = caller.by if caller else "session"
    await workbench.audit.note(user_id, kind, action=action, subject=subject, address=address_of(request), by=by)


async def note_download(workbench: Workbench, user_id: str, action: str, subject: str, request: Requested) -> None:
    """Records a download; ``subject``: the file's name."""
    await note(workbench, user_id, "exported", action, subject, request)
