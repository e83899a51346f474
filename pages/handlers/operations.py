"""Operating the workbench: backup and restore, checking and rebuilding the index, the doctor."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from core.errors import fail
from core.operations.records import Finding
from core.words import Language
from pages.actions import Blank, Call, Handlers, Reply, UploadPath, action, alias


class Whose(Call):
    """Whose records: the caller's own, those of another ``person``, or ``everyone``'s. Only administrators may choose
    the last two."""

    person: Annotated[str | None, Blank] = Field(None, max_length=200)
    everyone: bool = False


class OneBackup(Call):
    """A backup by its name."""

    backup: str = Field(max_length=200)


class Restoring(Whose, OneBackup):
    """A backup to restore. ``person``: the user for whom the records are restored."""


class ReceivedBackup(Call):
    """``path``: where the interface stored the uploaded backup."""

    path: Annotated[UploadPath, alias("file", "path")]


class Holding(Call):
    """``seconds``: how long the server stays read-only, unless the request is repeated."""

    seconds: float = Field(30.0, gt=0, le=600)


class Releasing(Call):
    """``moved_to``: where all data was moved; empty if the move did not complete."""

    moved_to: str = Field("", max_length=500)


class OperationsDesk(Handlers):
    """Actions that clients and the ``palimpsest`` commands can call."""

    @action("system", endpoint="backup", who="in person", noted="exported")
    async def back_up(self, user_id: str, call: Whose) -> Reply:
        """Write a backup of the caller's data, another user's data or all users' data to the data directory."""
        file, summary = await self._workbench.operations.backups.make(self._whose(user_id, call))
        return {"backup": file.model_dump(), "summary": summary.model_dump()}

    @action("system", endpoint="list_backups", part="backups", who="in person")
    async def backups(self, user_id: str, call: Call) -> Reply:
        """The backups that the caller may use, newest first."""
        found = await self._workbench.operations.backups.all(self._asker(user_id))
        return {"backups": [each.model_dump() for each in found]}

    @action("system", endpoint="receive_backup", who="in person", noted="changed")
    async def receive(self, user_id: str, call: ReceivedBackup) -> Reply:
        """Upload a backup that was made elsewhere. It is then listed with the others."""
        path = self._workbench.uploads.received(user_id, call.path)
        return {"backup": (await self._workbench.operations.backups.receive(path, user_id)).model_dump()}

    @action("system", endpoint="restore_preview", who="in person")
    async def preview(self, user_id: str, call: Restoring) -> Reply:
        """Check a whole backup and report what a restore would bring back. Nothing is written."""
        into = await self._whose_records(user_id, call)
        summary = await self._workbench.operations.backups.preview(call.backup, self._asker(user_id), into)
        return {"summary": summary.model_dump(), "told": summary.words.to(call.ui)}

    @action("system", endpoint="restore", who="in person", noted="restored")
    async def restore(self, user_id: str, call: Restoring) -> Reply:
        """Restore records from a backup that are missing here or older than in the backup. A damaged backup changes
        nothing."""
        into = await self._whose_records(user_id, call)
        summary = await self._workbench.operations.backups.restore(call.backup, self._asker(user_id), into)
        return {"summary": summary.model_dump(), "told": summary.words.to(call.ui)}

    @action("system", endpoint="reindex", who="administrator", noted="changed")
    async def reindex(self, user_id: str, call: Call) -> Reply:
        """Rebuild the index next to the active one, or continue a rebuild. It runs in the background."""
        self._workbench.operations.rebuilding.begin()
        return await self._rebuilding()

    @action("system", endpoint="reindex_status", who="administrator")
    async def reindex_status(self, user_id: str, call: Call) -> Reply:
        """Progress of the index rebuild."""
        return await self._rebuilding()

    @action("system", endpoint="reindex_pause", who="administrator", noted="changed")
    async def reindex_pause(self, user_id: str, call: Call) -> Reply:
        """Pause the index rebuild after the current batch."""
        await self._workbench.operations.rebuilding.pause()
        return await self._rebuilding()

    @action("system", endpoint="reindex_resume", who="administrator", noted="changed")
    async def reindex_resume(self, user_id: str, call: Call) -> Reply:
        """Continue a paused index rebuild."""
        self._workbench.operations.rebuilding.begin()
        return await self._rebuilding()

    @action("system", endpoint="reindex_roll_back", who="administrator", noted="changed")
    async def reindex_roll_back(self, user_id: str, call: Call) -> Reply:
        """Switch back to the previous index. A second call switches to the new index again."""
        await self._workbench.operations.rebuilding.roll_back()
        return await self._rebuilding()

    @action("system", endpoint="reindex_promote", who="administrator", noted="changed")
    async def reindex_promote(self, user_id: str, call: Call) -> Reply:
        """Keep the active index permanently and remove the previous one."""
        await self._workbench.operations.rebuilding.promote()
        return await self._rebuilding()

    @action(endpoint="hold_for_move", who="administrator")
    async def hold(self, user_id: str, call: Holding) -> Reply:
        """Make the server read-only for some seconds, so that the data directory can be moved."""
        await self._workbench.held.hold(call.seconds)
        return {"folder": str(self._workbench.settings.folder)}

    @action(endpoint="release_after_move", who="administrator")
    async def release(self, user_id: str, call: Releasing) -> Reply:
        """Make the server writable again. If all data was moved, the server stays read-only until its next start."""
        self._workbench.held.release(call.moved_to)
        return {}

    @action(endpoint="rebuild_from_originals", who="administrator")
    async def rebuild(self, user_id: str, call: Call) -> Reply:
        """Find original files whose records were lost, and read them again."""
        return (await self._workbench.operations.originals.read_again()).model_dump()

    @action("system", endpoint="check", who="administrator")
    async def check(self, user_id: str, call: Call) -> Reply:
        """Compare the record store with the index. Nothing is changed."""
        return await self._compared(dry_run=True)

    @action("system", endpoint="repair", who="administrator", noted="changed")
    async def repair(self, user_id: str, call: Call) -> Reply:
        """Compare the record store with the index, and repair the index."""
        return await self._compared(dry_run=False)

    @action("system", endpoint="doctor", who="administrator")
    async def doctor(self, user_id: str, call: Call) -> Reply:
        """Problems of the installation and their remedies; runs the checks that support would run."""
        found = await self._workbench.operations.examine()
        return {"findings": [finding_row(each, call.ui) for each in found]}

    async def _whose_records(self, user_id: str, call: Restoring) -> str | None:
        """Requires that the request names the user, so that omitting the name never gives a user another user's
        records."""
        into = self._whose(user_id, call)
        of = await self._workbench.operations.backups.whose(call.backup, self._asker(user_id))
        if call.person is None and not call.everyone and of not in (None, user_id):
            raise fail("validation", "operations.backups.name_person")
        return into

    async def _compared(self, *, dry_run: bool) -> Reply:
        report = await self._workbench.memory.consistency_check(dry_run=dry_run)
        return {**report.model_dump(mode="json", exclude={"documents"}), "differences": report.differences}

    async def _rebuilding(self) -> Reply:
        await asyncio.sleep(0)  # lets a rebuild that has just started begin its first step.
        return (await self._workbench.operations.rebuilding.status()).model_dump(mode="json")

    def _asker(self, user_id: str) -> str | None:
        return None if self._identity.is_administrator(user_id) else user_id

    def _whose(self, user_id: str, call: Whose) -> str | None:
        if call.everyone or call.person not in (None, user_id):
            if not self._identity.is_administrator(user_id):
                raise fail("auth", "overrides.not_yours")
            return None if call.everyone else call.person
        return user_id


def finding_row(finding: Finding, language: Language) -> Reply:
    """A finding in one language."""
    return {
        **finding.model_dump(mode="json", include={"check", "warning", "state"}),
        "name": finding.name.to(language),
        "what": finding.what.to(language),
        "why": finding.why.to(language) if finding.why else None,
        "remedy": finding.remedy.to(language) if finding.remedy else None,
    }
