"""Maintains the library: permanently removes deleted documents, and resumes interrupted work.

It runs for all users without a request from any of them, so nothing here returns messages to users.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.library.records import Document
from core.library.refusals import interrupted
from core.runs.jobs import JobKind

if TYPE_CHECKING:
    from core.library.library import Library

_INGESTION: tuple[JobKind, ...] = ("reading", "recognition", "embedding")
"""The kinds of jobs that a document waits for."""


@dataclass(frozen=True)
class LibraryMaintenance:
    """Maintenance tasks that may be run at any time and repeated."""

    library: Library

    async def compact(self, grace_seconds: float) -> int:
        """Permanently remove what was deleted more than ``grace_seconds`` ago (maintenance, all users)."""
        buried = await self.library.catalogue.deleted_before(self.library.clock() - grace_seconds)
        for document in buried:
            await self.library.items.remove_document(document.user_id, document.id)
            await self.library.contents.forget(document.user_id, document.id)
            await self.library.files.delete(document.sha256, document.user_id, document.id)
            if not await self.library.catalogue.has_others_of(document):
                await self.library.pages.forget(document.user_id, document.sha256)
            await self.library.departures.note(document)
            await self._forget_work(document)
            await self.library.catalogue.forget(document.user_id, document.id)
        return len(buried)

    async def _forget_work(self, document: Document) -> None:
        """Remove the jobs and runs of its reading."""
        jobs, owner = self.library.reading, document.user_id
        await self.library.ledger.forget(owner, await jobs.runs_of(owner, document.id))
        await jobs.forget(owner, document.id)

    async def finish_vectors(self, quiet_seconds: float = 0.0) -> None:
        """Queue the documents that are searchable by text only and have not changed for ``quiet_seconds`` (maintenance,
        all users)."""
        busy = {job.subject_id for job in await self.library.embedding.unfinished() if job.kind in _INGESTION}
        for document in await self.library.catalogue.unfinished(self.library.clock() - quiet_seconds):
            if document.id not in busy:
                await self.library.begin(self.library.embedding, document, "completed")

    async def resume(self, quiet_seconds: float) -> None:
        """Resume documents that a crash between two writes left without a job (maintenance, all users).

        Documents that changed within ``quiet_seconds`` are skipped: another process may be working on them.
        """
        moment = self.library.clock() - quiet_seconds
        open_jobs = await self.library.reading.unfinished()
        subjects = {job.subject_id for job in open_jobs if job.kind in _INGESTION}
        runs = {job.run_id for job in open_jobs}
        for document in await self.library.catalogue.busy(moment):
            if document.id not in subjects:
                await self._take_up(document)
        for document in await self.library.catalogue.deleted_before(moment):
            await self.library.items.bury_document(document.user_id, document.id)
        for run in await self.library.ledger.running("ingestion", moment):
            if run.id not in runs:
                await self.library.ledger.interrupt(run)

    async def _take_up(self, document: Document) -> None:
        known = document.job_id is not None and await self.library.reading.get(document.job_id) is not None
        if document.recognition or not known:
            await self.library.begin(self.library.reading, document, "pending", problem=None, recognition=None)
        elif document.is_stored:
            await self.library.catalogue.change(document.user_id, document.id, state="completed")
        else:
            await self.library.items.remove_document(document.user_id, document.id)
            await self.library.catalogue.change(
                document.user_id, document.id, state="failed", problem=interrupted(document).problem, chunks=0
            )
