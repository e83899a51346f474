"""Runs the job that extracts a document's findings part by part; stores each part's findings before the next call.

After a crash, the extraction is marked as running but has no job; maintenance restarts it. Answers that were already
received are not requested again.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.errors import PalimpsestError, explain
from core.language.normalisation import fold
from core.language.tokens import count_tokens
from core.library.group_sharing import passages_follow
from core.library.ingestion import MOST_ATTEMPTS, Ingestion, trace_of
from core.library.intelligence.findings import Finding, item_of
from core.library.intelligence.parts import is_prose, parts_of, spread
from core.library.intelligence.reading import ModelReader, PartReader
from core.library.intelligence.records import Extraction
from core.library.records import Document
from core.messages import message
from core.models.meter import paid_by
from core.records.findings import FINDINGS, FindingKind
from core.runs.jobs import Job, JobState
from core.runs.records import Run
from core.runs.runner import RunWriter
from core.runs.trace import Step
from core.setting_groups import BookIntelligence
from core.store.items import LIBRARY, MemoryItem
from core.words import Words

log = logging.getLogger(__name__)

ROOM_FOR_ANSWER = 2_500
"""Number of tokens in the context window that are reserved for the answer."""
MARGIN = 0.1
"""Share of the context window that stays free, because other models count tokens differently."""
LEAST_ROOM = 500
"""With fewer tokens per part than this, no call is made: so little text leaves nothing to choose from."""
MOST_UNUSABLE = 2
"""Number of unusable answers in a row after which the extraction stops."""


@dataclass
class _Work:
    """State of one extraction: ``kept`` are the ids of all findings so far, ``said`` their texts, so that duplicates
    are kept once."""

    document: Document
    extraction: Extraction
    parts: Sequence[Sequence[MemoryItem]] = ()
    kept: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    counts: Counter[FindingKind] = field(default_factory=Counter)
    unusable: int = 0
    in_a_row: int = 0


async def parts_to_read(
    passages: Sequence[MemoryItem], model: ModelReader, reader: PartReader, settings: BookIntelligence
) -> tuple[list[list[MemoryItem]], int]:
    """The parts of a document to read, and the total number of parts. Raises ``PalimpsestError``: there is no model."""
    window = await model.window()
    room = int(window * (1 - MARGIN)) - count_tokens(reader.rules()) - ROOM_FOR_ANSWER
    if room < LEAST_ROOM:
        return [], 0
    prose = [item for item in passages if is_prose(item)]
    parts = parts_of(prose, min(room, settings.part_tokens))
    return spread(parts, settings.document_calls), len(parts)


@dataclass
class ExtractionWorker(Ingestion):
    """Runs extraction jobs: passages → findings → record store; ``wake`` is called when items wait for a vector."""

    model: ModelReader
    reader: PartReader
    wake: Callable[[], None]

    def _is_due(self, document: Document, job: Job) -> bool:
        """Whether ``job`` is the document's current extraction job and can run now."""
        extraction = document.extraction
        readable = document.state == "completed" and document.scope == LIBRARY
        return readable and extraction is not None and extraction.job_id == job.id

    async def _work(self, job: Job, document: Document, run: Run, writer: RunWriter) -> JobState:
        try:
            with paid_by(job.user_id), trace_of(job, writer).step("findings") as step:
                await self._read_out(job, document, step)
        except PalimpsestError as error:
            if error.problem.category != "not_found":
                raise
            await self.end(run, writer, "cancelled")
            return "cancelled"
        await self.end(run, writer, "completed")
        return "completed"

    async def roll_back(self, job: Job) -> None:
        """End a cancelled job: findings are kept; if the document is gone, nothing more is done."""
        document = await self.catalogue.find(job.user_id, job.subject_id)
        if document and document.extraction and document.extraction.job_id == job.id:
            gone = document.state == "deleted"
            stopped = None if gone else document.extraction.model_copy(update={"state": "cancelled"})
            await self.catalogue.change(job.user_id, document.id, among=(document.state,), extraction=stopped)
        await self.end_cancelled(job)

    async def _read_out(self, job: Job, document: Document, step: Step) -> None:
        extraction = (document.extraction or Extraction()).model_copy(
            update={"state": "reading", "job_id": job.id, "run_id": job.run_id, "problem": None}
        )
        work = _Work(document, extraction)
        problem = _TRIED_OFTEN if job.tries > MOST_ATTEMPTS else await self._read_parts(work, step)
        if problem is None:
            await self._remove_others(work)
        else:
            step.skip(problem)
        await self._note(work, state="incomplete" if problem else "done", problem=problem)

    async def _read_parts(self, work: _Work, step: Step) -> Words | None:
        """Read the parts; returns the reason if not all were read, otherwise ``None``."""
        document = work.document
        passages = await self.items.of_document(document.user_id, document.id)
        try:
            work.parts, of_parts = await parts_to_read(passages, self.model, self.reader, self.settings.books)
            if not work.parts and passages and not of_parts:
                return _TOO_SMALL
            await self._note(work, parts=len(work.parts), of_parts=of_parts, done=0, model=self.model.id)
            for number, part in enumerate(work.parts, start=1):
                if not await self._read_part(work, part):
                    return _unusable(work.unusable, len(work.parts))
                step.detail(
                    message("library.intelligence.parts", done=number, total=len(work.parts)), number, len(work.parts)
                )
        except Exception as error:
            problem = explain(error)
            if problem.category == "not_found":
                raise
            log.warning("%s was not read out to its end", document.id, exc_info=problem.category == "unknown")
            return problem.what
        return _unusable(work.unusable, len(work.parts)) if work.unusable else None

    async def _read_part(self, work: _Work, part: Sequence[MemoryItem]) -> bool:
        """Read one part; returns whether another call makes sense."""
        found = await self.reader.read(work.document, part)
        if found is None:
            work.unusable += 1
            work.in_a_row += 1
            return work.in_a_row < MOST_UNUSABLE
        work.in_a_row = 0
        await self._keep(work, found.findings)
        extraction = work.extraction
        await self._note(
            work,
            done=extraction.done + 1,
            found={kind: work.counts[kind] for kind in FINDINGS if work.counts[kind]},
            refused=extraction.refused + found.refused if extraction.done else found.refused,
        )
        await self.items.activate_document(work.document.user_id, work.document.id)
        await passages_follow(self.catalogue, self.items, work.document.user_id, work.document.id)
        self.wake()
        return True

    async def _keep(self, work: _Work, findings: Sequence[Finding]) -> None:
        """Store findings, hidden until it is certain that the document still exists; findings that exist already are
        not changed."""
        document, items = work.document, self.items
        now = self.clock()
        unsaid = {fold(each.text): each for each in reversed(findings)}
        fresh_findings = [each for text, each in reversed(unsaid.items()) if text not in work.said]
        work.said |= unsaid.keys()
        new = await asyncio.to_thread(lambda: [item_of(document, finding, now) for finding in fresh_findings])
        there = {
            item.id
            for item in await items.find(document.user_id, {"_id": {"$in": [item.id for item in new]}})
            if item.status == "active"
        }
        work.kept |= {item.id for item in new}
        work.counts.update(item.kind for item in new)  # type: ignore[misc]
        fresh = [item for item in new if item.id not in there]
        if fresh:
            await items.add(document.user_id, fresh)

    async def _note(self, work: _Work, **fields: object) -> None:
        """Record the progress. Raises ``PalimpsestError`` (not found) if the document is gone, and then removes its new
        findings."""
        document = work.document
        work.extraction = work.extraction.model_copy(update={**fields, "at": self.clock()})
        try:
            await self.catalogue.change(document.user_id, document.id, among=("completed",), extraction=work.extraction)
        except PalimpsestError:
            pending = {"kind": {"$in": list(FINDINGS)}, "status": "pending"}
            await self.items.remove_document(document.user_id, document.id, pending)
            raise

    async def _remove_others(self, work: _Work) -> None:
        """Remove findings of an earlier extraction that this one did not find again."""
        others = {"kind": {"$in": list(FINDINGS)}, "_id": {"$nin": sorted(work.kept)}, "status": "active"}
        await self.items.remove_document(work.document.user_id, work.document.id, others)


def _unusable(count: int, parts: int) -> Words:
    return message("library.intelligence.unusable", count=count, parts=parts)


_TRIED_OFTEN = message("library.intelligence.tried_often")
_TOO_SMALL = message("library.intelligence.too_small")
