"""Runs the job that recognises a document's scanned pages in batches, while other files are read.

Recognised text is stored page by page, so a restarted job continues where it stopped. From time to time, and at the
end, the file is read again with all pages recognised so far. The result is the same as that of one long reading.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from dataclasses import dataclass

from core.events import StepCreated, StepDetail, StepStatus
from core.library.ingestion import MOST_ATTEMPTS, ReadingWorker
from core.library.reading import Recognise, UnreadableError
from core.library.recognition.kept_pages import read_languages, read_pages
from core.library.records import Document, Recognition
from core.library.rereading import AGAIN
from core.library.storing import Storing
from core.messages import message
from core.messages.step_labels import STEP_LABELS
from core.runs.jobs import Job
from core.runs.runner import RunWriter
from core.runs.trace import Trace

log = logging.getLogger(__name__)

STEP = "scan-recognising"
"""The name of the single step that all parts of the job share."""
TURN_SECONDS = 10.0
"""Seconds for which one document is worked on before others are."""
SOONEST = 8
"""A file is read again only when at least this many new pages have been recognised."""
GROWTH = 3
"""The file is read again when there are a third more pages, so that a long document is not read too often."""
OTHERS = 20
"""The new pages must also be at least a twentieth of the other pages, which are read again with them."""
CALLS = 100
"""Maximum number of OCR calls for one document; each call goes through all its pages."""


class RecognitionWorker(ReadingWorker):
    """Runs OCR jobs: scanned pages → their text → the document is read again."""

    async def _advance(self, job: Job, document: Document, writer: RunWriter) -> bool:
        if document.recognition is None:
            return True
        turn = _Turn(self, document, document.recognition, writer)
        await turn.open()
        goes_on = job.tries <= MOST_ATTEMPTS and await turn.recognise()
        if not goes_on or turn.is_due:
            await self._read_again(document, goes_on)
        else:
            await self.catalogue.change(document.user_id, document.id, recognition=turn.standing)
        if not goes_on:
            turn.end()
        return not goes_on

    async def _read_again(self, document: Document, goes_on: bool) -> None:
        """Read the file again with the pages recognised so far; pages unknown at the end stay unread."""
        silent = Trace(lambda _: None)
        reading = await self._read_document(document, None, silent)
        if not goes_on:
            reading = reading.model_copy(update={"waiting": 0})
        storing = Storing(document, self.catalogue, self.items, self.contents, self.clock, replaces=True)
        await storing.finish(reading, silent)
        await self.figures.write(storing.document)
        surplus = {"place.order": {"$gte": len(reading.chunks), "$lt": AGAIN}}
        await self.items.remove_document(document.user_id, document.id, surplus)


@dataclass
class _Turn:
    """One time slot of work on one document."""

    worker: RecognitionWorker
    document: Document
    standing: Recognition
    writer: RunWriter

    async def open(self) -> None:
        """Open the run's step, unless an earlier time slot opened it."""
        user_id, run_id = self.document.user_id, self.document.run_id or ""
        events = [entry.event for entry in await self.worker.ledger.entries(user_id, run_id)]
        if not any(isinstance(event, StepCreated) and event.step_id == STEP for event in events):
            self.writer.emit(StepCreated(step_id=STEP, label=STEP_LABELS["recognising"]))
            self._tell(self.standing.done)

    async def recognise(self) -> bool:
        """Recognise pages; returns whether some are left for later time slots."""
        worker, document, total = self.worker, self.document, self.standing.total
        user_id, sha256 = document.user_id, document.sha256
        ends = time.monotonic() + TURN_SECONDS
        jobs = worker.settings.jobs
        at_once = jobs.ocr_processes or os.cpu_count() or 1
        pages = Recognise(most=max(2 * at_once, total // CALLS), at_once=at_once, nice=jobs.nice)
        async with (
            worker.files.open(sha256, user_id) as path,
            worker.pages.folder(user_id, sha256, names=True) as scans,
        ):
            known = set(await asyncio.to_thread(read_pages, scans))
            self._count(len(known))
            while len(known) < total:
                try:
                    await worker.readers.recognise(path, document.filename, worker.settings, self._heard, scans, pages)
                except UnreadableError:
                    if not document.chunks:
                        raise
                    log.warning("%s stays as far as it was recognised", document.id, exc_info=True)
                    return False
                there = await asyncio.to_thread(read_pages, scans)
                fresh = {name: words for name, words in there.items() if name not in known}
                languages = await asyncio.to_thread(read_languages, scans)
                await worker.pages.keep(user_id, sha256, {**languages, **fresh} if fresh else {})
                known.update(fresh)
                self._count(len(known))
                if not fresh:
                    return False
                if self.is_due or time.monotonic() > ends:
                    break
        return len(known) < total

    @property
    def is_due(self) -> bool:
        """Whether there are enough new pages to read the file again."""
        others = (self.document.pages or 0) - self.standing.total
        wait = max(SOONEST, self.standing.read // GROWTH, others // OTHERS)
        return self.standing.done - self.standing.read >= wait

    def end(self) -> None:
        self.writer.emit(StepStatus(step_id=STEP, status="done"))

    def _count(self, done: int) -> None:
        self.standing = self.standing.model_copy(update={"done": min(done, self.standing.total)})
        self._tell(self.standing.done)

    def _heard(self, stage: str, done: int, _: int) -> None:
        if stage == "recognising":
            self._tell(min(self.standing.done + done, self.standing.total))

    def _tell(self, done: int) -> None:
        total = self.standing.total
        detail = message("library.ingestion.page_of", done=done, total=total)
        self.writer.emit(StepDetail(step_id=STEP, detail=detail, done=done, total=total))
