"""Upkeep of the library: what was deleted goes for good, and what a crash or a missing model left undone goes on.

For all users: nobody is asked, so nothing here is told to anyone.
"""

from __future__ import annotations

from typing import Protocol

from core.clock import Clock
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.records import Document, DocumentState
from core.library.refusals import interrupted
from core.library.removed_documents import RemovedDocuments
from core.memory.items.writing import MemoryItems
from core.runs.jobs import JobKind, JobQueue
from core.runs.ledger import RunLedger
from core.store.files import FileStore

_INGESTION: tuple[JobKind, ...] = ("reading", "embedding")
"""The jobs that a document waits for."""


class BeginIngestion(Protocol):
    """Starts a run and a job for a document."""

    async def __call__(
        self, queue: JobQueue, document: Document, state: DocumentState, **fields: object
    ) -> Document: ...


class LibraryMaintenance:
    """Duties that may be done at any time and again."""

    def __init__(
        self,
        catalogue: Catalogue,
        items: MemoryItems,
        contents: Contents,
        departures: RemovedDocuments,
        files: FileStore,
        ledger: RunLedger,
        reading: JobQueue,
        embedding: JobQueue,
        clock: Clock,
        begin: BeginIngestion,
    ) -> None:
        self._catalogue = catalogue
        self._items = items
        self._contents = contents
        self._departures = departures
        self._files = files
        self._ledger = ledger
        self._reading = reading
        self._embedding = embedding
        self._clock = clock
        self._begin = begin

    async def compact(self, grace_seconds: float) -> int:
        """Remove for good what was deleted more than ``grace_seconds`` ago (maintenance, all users)."""
        buried = await self._catalogue.deleted_before(self._clock() - grace_seconds)
        for document in buried:
            await self._items.remove_document(document.user_id, document.id)
            await self._contents.forget(document.user_id, document.id)
            await self._files.delete(document.sha256, document.user_id, document.id)
            await self._departures.note(document)
            await self._catalogue.forget(document.user_id, document.id)
        return len(buried)

    async def finish_vectors(self, quiet_seconds: float = 0.0) -> None:
        """Queue the documents that were left findable by text alone and have not changed for ``quiet_seconds``
        (maintenance, all users)."""
        busy = {job.subject_id for job in await self._embedding.unfinished() if job.kind in _INGESTION}
        for document in await self._catalogue.unfinished(self._clock() - quiet_seconds):
            if document.id not in busy:
                await self._begin(self._embedding, document, "completed")

    async def resume(self, quiet_seconds: float) -> None:
        """Take up what a crash between two writes left without a job (maintenance, all users).

        Nothing that changed within ``quiet_seconds`` is touched: another process may be at it.
        """
        moment = self._clock() - quiet_seconds
        open_jobs = await self._reading.unfinished()
        subjects = {job.subject_id for job in open_jobs if job.kind in _INGESTION}
        runs = {job.run_id for job in open_jobs}
        for document in await self._catalogue.busy(moment):
            if document.id not in subjects:
                await self._take_up(document)
        for document in await self._catalogue.deleted_before(moment):
            await self._items.bury_document(document.user_id, document.id)
        for run in await self._ledger.running("ingestion", moment):
            if run.id not in runs:
                await self._ledger.interrupt(run)

    async def _take_up(self, document: Document) -> None:
        if document.job_id is None or await self._reading.get(document.job_id) is None:
            await self._begin(self._reading, document, "pending", problem=None)
        elif document.is_stored:
            await self._catalogue.change(document.user_id, document.id, state="completed")
        else:
            await self._items.remove_document(document.user_id, document.id)
            await self._catalogue.change(
                document.user_id, document.id, state="failed", problem=interrupted(document).problem, chunks=0
            )
