"""Runs the jobs that turn an uploaded file into a searchable document.

Reading (file → chunks → record store → lexical vectors) makes a document searchable within seconds. Embedding follows
in batches that can be resumed. Both write to one run, and both can be repeated after a crash: item ids are derived from
the document, so a repeated job overwrites items and does not add new ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from core.clock import Clock
from core.errors import UNANSWERED, PalimpsestError, Problem, explain, fail
from core.events import Failure, RunCompleted, RunOutcome
from core.ids import derived_id
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.annotation import Annotation
from core.library.handover import Receiver
from core.library.reading import ROWS, Progress, Readers, Reading, UnreadableError
from core.library.recognition.kept_pages import RecognisedPages
from core.library.records import BYTES_A_PAGE, NOTHING_READ, Document, DocumentState
from core.library.samples import SampleReadings
from core.library.storing import Storing
from core.library.tables.figures import TableFigures
from core.memory.items.writing import MemoryItems, NoVectorsError
from core.messages import message
from core.runs.jobs import Job, JobQueue, JobState, UnfinishedError
from core.runs.ledger import RunLedger
from core.runs.records import Run
from core.runs.runner import RunWriter
from core.runs.trace import Step, Trace
from core.settings import Settings
from core.store.files import FileStore
from core.words import Words

log = logging.getLogger(__name__)

Settled = Callable[[Document], Awaitable[None]]
Shared = tuple[Catalogue, MemoryItems, Contents, RunLedger, Clock, Settings]
"""The dependencies of every ``Ingestion``."""

MOST_ATTEMPTS = 3


def follow_up_id(job_id: str) -> str:
    """The id of the embedding job that follows a reading job; the same however often the reading is repeated."""
    return derived_id("job", job_id, "embedding")


PROGRESS_INTERVALS = 5.0
"""A file's progress is reported this many times less often than the words of an answer."""


@dataclass
class Ingestion(ABC):
    """Base class of the jobs of a document: holds the document and its run, and ends the run."""

    catalogue: Catalogue
    items: MemoryItems
    contents: Contents
    ledger: RunLedger
    clock: Clock
    settings: Settings

    async def run(self, job: Job) -> JobState:
        """Resume or start the job's run, continue where it stopped, and end it. Ending the run is the job's last step,
        so a job whose run has ended has nothing left to do."""
        document = await self.catalogue.find(job.user_id, job.subject_id)
        if document is None or not self._is_due(document, job):
            await self.roll_back(job)
            return "cancelled"
        opened = await self._open(job)
        if opened is None:
            return "completed"
        run, writer = opened
        try:
            return await self._work(job, document, run, writer)
        finally:
            await writer.close()

    def _is_due(self, document: Document, job: Job) -> bool:
        return document.state != "deleted"

    @abstractmethod
    async def _work(self, job: Job, document: Document, run: Run, writer: RunWriter) -> JobState: ...

    async def _open(self, job: Job) -> tuple[Run, RunWriter] | None:
        run = await self.ledger.reopen(job.run_id)
        if run is None:
            return None
        sequence = await self.ledger.next_sequence(run.id)
        interval = PROGRESS_INTERVALS * self.settings.jobs.event_interval
        return run, RunWriter(self.ledger, run, sequence, interval, paced=True)

    async def end(self, run: Run, writer: RunWriter, outcome: RunOutcome) -> None:
        writer.emit(RunCompleted(outcome=outcome))
        await writer.close()
        await self.ledger.end(run, outcome)

    async def fail(self, document: Document, run: Run, writer: RunWriter, problem: Problem) -> None:
        """Report the error and remove partly stored data."""
        await self._clear(document, "failed", problem)
        writer.emit(Failure(problem=problem))
        await self.end(run, writer, "failed")

    async def roll_back(self, job: Job) -> None:
        """Clean up after a cancellation: the document keeps only its entry and its file, so that it can be tried again.

        Data of a deleted document stays until it can no longer be restored, unless it is incomplete. If a later job
        works on the document, its data is left to that job.
        """
        document = await self.catalogue.find(job.user_id, job.subject_id)
        ours = document is not None and document.job_id in (job.id, follow_up_id(job.id))
        if document and ours and not (document.state == "deleted" and document.is_stored):
            await self._clear(document, "cancelled", None)
        await self.end_cancelled(job)

    async def end_cancelled(self, job: Job) -> None:
        """End the job's run, unless it has ended already."""
        opened = await self._open(job)
        if opened:
            await self.end(*opened, "cancelled")

    async def _clear(self, document: Document, state: DocumentState, problem: Problem | None) -> None:
        """Remove the stored data of a document. If it was deleted in the meantime it stays deleted, and is read again
        if the deletion is undone."""
        user_id, identifier = document.user_id, document.id
        await self.items.remove_document(user_id, identifier)
        await self.contents.remove(user_id, identifier)
        try:
            await self.catalogue.change(user_id, identifier, state=state, problem=problem, **NOTHING_READ)
        except PalimpsestError:
            with contextlib.suppress(PalimpsestError):
                await self.catalogue.change(user_id, identifier, among=("deleted",), **NOTHING_READ)


@dataclass
class ReadingWorker(Ingestion):
    """Reads a file: file → chunks → record store → lexical vectors. Leaves out scanned pages that are not yet
    recognised."""

    files: FileStore
    recognising: JobQueue
    embedding: JobQueue
    readings: SampleReadings
    readers: Readers
    pages: RecognisedPages
    figures: TableFigures

    async def _work(self, job: Job, document: Document, run: Run, writer: RunWriter) -> JobState:
        try:
            if not await self._advance(job, document, writer):
                return "pending"
            await writer.flush()  # The next worker on this run continues the event numbers from here.
            await self._hand_over(job, document)
        except Exception as error:
            later_if_unreachable(error, job)
            problem = explain(error)
            log.warning("document %s failed: %s", document.id, error, exc_info=problem.category == "unknown")
            await self.fail(document, run, writer, problem)
            return "failed"
        return "completed"

    async def _advance(self, job: Job, document: Document, writer: RunWriter) -> bool:
        """Do the job's part; returns whether it is done, so that the next job can start."""
        if not document.is_taken_in:
            await self._take_in(job, document, trace_of(job, writer))
        return True

    async def _take_in(self, job: Job, document: Document, trace: Trace) -> None:
        if job.tries > MOST_ATTEMPTS:
            raise fail("unknown", "library.ingestion.given_up", filename=document.filename, most_attempts=MOST_ATTEMPTS)
        if job.attempts > 1 or document.reading:
            # Other settings may split the text into fewer passages than the previous reading.
            await self.items.remove_document(job.user_id, document.id)
        await self.catalogue.change(job.user_id, document.id, state="processing", problem=None)
        storing = Storing(document, self.catalogue, self.items, self.contents, self.clock)
        preparing = asyncio.create_task(self.figures.prepare(document))
        try:
            reading = await self._read_document(document, storing, trace, as_dataset=True)
            await preparing
            if reading.shortened and not await self.figures.covers(document, reading.shortened):
                reading = await self._read_document(document, storing, trace)
        finally:
            preparing.cancel()
        await storing.finish(reading, trace)
        await self.figures.write(storing.document)

    async def _supersede(self, document: Document) -> None:
        """Replace the previous version; only a document that could be read replaces another one."""
        if document.replaces is None:
            return
        old = await self.catalogue.find(document.user_id, document.replaces)
        if old is not None and old.state != "deleted":
            await self.catalogue.change(document.user_id, old.id, state="deleted")
            await self.items.bury_document(document.user_id, old.id)

    async def _hand_over(self, job: Job, document: Document) -> None:
        follow_up = follow_up_id(job.id)
        described = await self.catalogue.change(job.user_id, document.id, job_id=follow_up)
        if described.recognition is None:
            await self._supersede(described)
            queue, size = self.embedding, described.vectors_size
        else:
            queue, size = self.recognising, described.recognition.total * BYTES_A_PAGE
        await queue.submit(job.user_id, document.id, job.run_id, follow_up, size=size)
        if job.due < 0:  # A user waits for this document, so its vectors get priority too.
            await queue.prefer(job.user_id, [document.id])

    async def _read_document(
        self, document: Document, storing: Storing | None, trace: Trace, *, as_dataset: bool = False
    ) -> Reading:
        with trace.step("extracting") as step:
            reading = None
            if document.reading is None:
                reading = await asyncio.to_thread(self.readings.find, document.sha256)
            if reading is None:
                reading = await self._read_file(document, _counting(step), storing, as_dataset=as_dataset)
            key = "library.ingestion.pages_and_tokens" if reading.pages else "library.ingestion.tokens"
            step.detail(message(key, pages=reading.pages, tokens=reading.tokens))
        with trace.step("chunking") as step:
            count = reading.passages + len(reading.chunks)
            step.detail(message("library.ingestion.passages", count=count), count, count)
        with trace.step("metadata") as step:
            keywords = ", ".join([*reading.metadata.keywords_en, *reading.metadata.keywords_he][:6])
            step.detail(Words.alike(keywords) if keywords else message("library.ingestion.no_keywords"))
        return reading

    async def _read_file(
        self, document: Document, progress: Progress, receiver: Receiver | None, *, as_dataset: bool
    ) -> Reading:
        user_id, sha256 = document.user_id, document.sha256
        async with self.files.open(sha256, user_id) as path, self.pages.folder(user_id, sha256) as scans:
            settings = document.settings(self.settings)
            return await self.readers.read_file(
                path, document.filename, settings, progress, scans, receiver, as_dataset=as_dataset
            )


@dataclass
class EmbeddingWorker(Ingestion):
    """Computes dense vectors batch by batch; finished batches are kept. If configured, a model first describes the
    document and the context of its passages."""

    unavailable: Callable[[], Words | None]
    annotation: Annotation
    settled: Settled
    """A function that is called with each document that is completely ready."""

    async def _work(self, job: Job, document: Document, run: Run, writer: RunWriter) -> JobState:
        trace = trace_of(job, writer)
        try:
            if job.tries <= MOST_ATTEMPTS:
                await self.annotation.give(document, trace, vectors=self.unavailable() is None)
            with trace.step("embedding") as step:
                counted = await self._embed(job, document, step)
            await self.settled(await self.catalogue.change(job.user_id, document.id, state="completed", **counted))
        except PalimpsestError as error:
            if error.problem.category != "not_found":
                later_if_unreachable(error, job)
                raise
            await writer.close()
            await self.roll_back(job)
            return "cancelled"
        await self.end(run, writer, "completed")
        return "completed"

    async def _embed(self, job: Job, document: Document, step: Step) -> dict[str, Any]:
        """Compute the vectors, and return the fields to store when the document has all of them."""
        reason = self.unavailable() or (_TRIED_OFTEN if job.tries > MOST_ATTEMPTS else None)
        if reason:
            step.skip(reason)
            return {}
        try:
            if await self._batches(document, step):
                return {"embedded": document.with_vectors, "has_all_vectors": True}
        except Exception as error:
            if not isinstance(error, NoVectorsError):
                later_if_unreachable(error, job)
            log.warning("vectors of %s are incomplete", document.id, exc_info=True)
            problem = explain(error)
            step.skip(message("library.ingestion.embed", what=problem.what))
        return {}

    async def _batches(self, document: Document, step: Step) -> bool:
        """Whether all passages that need a vector have one; the count is stored only while some are missing."""
        items, catalogue = self.items, self.catalogue
        user_id, total = document.user_id, document.with_vectors
        known, embedded = document.embedded, 0
        while True:
            # Count again: passages that questions use get their vectors out of order, and some passages need none.
            waiting = await items.count_pending_vectors(user_id, document.id)
            done = total - waiting
            if done != known:
                step.detail(message("library.ingestion.batches", done=done, total=total), done, total)
            if done != known and waiting:
                await catalogue.change(user_id, document.id, embedded=done)
            known = done
            if embedded and not waiting:
                return True
            embedded = await items.embed_pending(user_id, document.id, self.settings.jobs.embed_batch)
            if not embedded:
                return not waiting


_TRIED_OFTEN = message("library.ingestion.tried_often")


def later_if_unreachable(error: Exception, job: Job) -> None:
    """Retry later if the record store or the index is unreachable or silent for a while; this is not the file's fault.

    Raises:
        UnfinishedError: it is such an error, and the job has not been tried often.
    """
    problem = explain(error)
    if problem.category in UNANSWERED and not isinstance(error, UnreadableError) and job.tries < MOST_ATTEMPTS:
        raise UnfinishedError(problem.what.en) from error


def trace_of(job: Job, writer: RunWriter) -> Trace:
    return Trace(writer.emit, prefix=f"{job.kind[0]}{job.attempts}-")


def _counting(step: Step) -> Callable[[str, int, int], None]:
    def say(stage: str, done: int, total: int) -> None:
        if stage == "extracting" and total > 1:
            step.detail(message("library.ingestion.say", done=done, total=total), done, total)
        elif stage == ROWS:
            step.detail(message("library.ingestion.rows", done=done, total=total), done, total)

    return say
