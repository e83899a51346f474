"""The job that recognises the scanned pages of a document, a part of them at a time, while other files are read.

What the engine reads is kept page by page, so a job that died goes on where it was. Now and then the file is read again
with all pages that are known by then, and once more when they all are: the end is the same as that of one long reading.
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
"""The one step of all parts of the job."""
TURN_SECONDS = 10.0
"""For which one document is worked on before others have their turn."""
SOONEST = 8
"""New pages for which a file is read again at least."""
GROWTH = 3
"""It is read again when there are a third more pages, so that the readings of a long one do not add up."""
OTHERS = 20
"""And as many as a twentieth of its other pages, which are read again with them."""
CALLS = 100
"""Calls of the engine's reader for one document: each goes through all of its pages."""


class RecognitionWorker(ReadingWorker):
    """Scanned pages → their words → the document, read again."""

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
        """With the pages that are known by now; what is not known at the end stays unread."""
        silent = Trace(lambda _: None)
        reading = await self._read_document(document, None, silent)
        if not goes_on:
            reading = reading.model_copy(update={"waiting": 0})
        storing = Storing(document, self.catalogue, self.items, self.contents, self.clock, replaces=True)
        await storing.finish(reading, silent)
        surplus = {"place.order": {"$gte": len(reading.chunks), "$lt": AGAIN}}
        await self.items.remove_document(document.user_id, document.id, surplus)


@dataclass
class _Turn:
    """Some seconds of work on one document."""

    worker: RecognitionWorker
    document: Document
    standing: Recognition
    writer: RunWriter

    async def open(self) -> None:
        """Begin the step, unless an earlier turn has."""
        user_id, run_id = self.document.user_id, self.document.run_id or ""
        events = [entry.event for entry in await self.worker.ledger.entries(user_id, run_id)]
        if not any(isinstance(event, StepCreated) and event.step_id == STEP for event in events):
            self.writer.emit(StepCreated(step_id=STEP, label=STEP_LABELS["recognising"]))
            self._tell(self.standing.done)

    async def recognise(self) -> bool:
        """Whether pages are left for other turns."""
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
        """Whether there are so many new pages that the file is to be read again."""
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
