"""Estimates reading progress and remaining time: *the events of documents' runs* → seconds that remain.

Rates are measured, not assumed: bytes read and passages embedded per second, over the current job or over many short
jobs together. Until a job has reported progress, the previous job's rate is used. Without any measurement, no time is
given.
"""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from core.clock import Clock
from core.coordination.shared_progress import SharedProgress
from core.events import Entry, Event, RunCompleted, StepCreated, StepDetail
from core.library.records import BYTES_A_VECTOR, Document, DocumentProgress, Stage
from core.library.throughput import Throughput
from core.lru_cache import LruCache
from core.runs.jobs import OVERTAKEN_BYTES, Queued
from core.runs.ledger import RunLedger
from core.runs.records import Run

PASSAGES_A_BYTE = 1 / 2_500
"""Passages per byte of an unread file, used until other files of the library give a measured value."""
MOST_TOLD = 100
"""Runs that one process works on at the same time, plus some that another process has taken over."""
LEAST_SECONDS = 0.5
"""In seconds: over a shorter time, a rate cannot be measured exactly."""


@dataclass
class RunProgress:
    """Progress of one run, computed from its events: the current step and its speed."""

    sequence: int = 0
    stage: Stage = "queued"
    began: float = 0.0
    first: int = 0
    done: int = 0
    total: int = 0
    at: float = 0.0

    def fold(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.sequence = entry.sequence
            self.take(entry.at, entry.event)

    def take(self, at: float, event: Event) -> None:
        match event:
            case StepCreated(step_id=step_id):
                name = step_id.rpartition("-")[2]
                self.stage = _STAGES.get(name, "storing")
                self.began = self.at = at
                self.first = self.done = self.total = 0
            case StepDetail(done=done, total=total) if total:
                self._record_progress(at, done or 0, total)

    def _record_progress(self, at: float, done: int, total: int) -> None:
        if not self.total and self.stage == "meaning":
            # A resumed job starts in the middle, so its first batch is not measured.
            self.first, self.began = done, at
        self.done, self.total, self.at = done, total, at

    @property
    def rate(self) -> float | None:
        """Units per second."""
        seconds, units = self.at - self.began, self.done - self.first
        return units / seconds if seconds >= LEAST_SECONDS and units > 0 else None


_AS_TEXT = TypeAdapter(RunProgress)

_STAGES: dict[str, Stage] = {"extracting": "reading", "recognising": "recognising", "embedding": "meaning"}


@dataclass
class Rates:
    """The latest measurements: bytes read and passages embedded per second, and passages per byte."""

    bytes: float | None = None
    passages: float | None = None
    density: float = PASSAGES_A_BYTE


@dataclass(frozen=True)
class PendingWork:
    """The remaining work for one document, in queue order."""

    document: Document
    followed: RunProgress = field(default_factory=RunProgress)

    @property
    def unread(self) -> float:
        """Bytes that are still to be read."""
        if self.document.is_taken_in or self.followed.stage in ("storing", "meaning"):
            return 0.0
        share = self.followed.done / self.followed.total if self.followed.total else 0.0
        return self.document.size * (1 - share)

    @property
    def stage(self) -> Stage:
        if self.document.recognition:
            return "recognising"
        return "meaning" if self.document.is_stored else self.followed.stage

    def without_meaning(self, density: float) -> float:
        """Passages that still need a vector."""
        known = self.document.with_vectors
        return max(known - self.document.embedded, 0) if known else self.document.size * density


class QueueAhead(NamedTuple):
    """Other users' work that is done before a document: bytes to read and passages to embed."""

    unread: float = 0.0
    passages: float = 0.0


def queues_ahead(documents: Iterable[Document], queued: Sequence[Queued]) -> dict[str, QueueAhead]:
    """For each document id, the work of other users' jobs that are due before the document's own job."""
    own = {(each.kind, each.subject_id): each.due for each in queued if each.subject_id}
    unread = _sizes_due(each for each in queued if each.kind == "reading" and not each.subject_id)
    passages = _sizes_due(each for each in queued if each.kind == "embedding" and not each.subject_id)
    return {
        each.id: QueueAhead(
            unread(own.get(("reading", each.id), -math.inf)),
            # A document that is still to be read will find all current embedding work ahead of it.
            passages(own.get(("embedding", each.id), math.inf)) / BYTES_A_VECTOR,
        )
        for each in documents
    }


def _sizes_due(queued: Iterable[Queued]) -> Callable[[float], float]:
    """Jobs → a function that returns the total size of all jobs due before a given moment."""
    in_turn = sorted(queued, key=lambda each: each.due)
    moments = [each.due for each in in_turn]
    totals = [0.0, *accumulate(float(each.size) for each in in_turn)]
    return lambda moment: totals[bisect_left(moments, moment)]


def document_progress(
    queue: Sequence[PendingWork], rates: Rates, now: float, queued_before: Mapping[str, QueueAhead] | None = None
) -> list[DocumentProgress]:
    """The progress of each document, assuming that all work ahead of it is done first: the user's own and, in
    ``queued_before``, other users'. ``now`` is on the same clock as the events."""
    unread, passages, found = 0.0, 0.0, []
    for work in queue:
        unread += work.unread
        passages += work.without_meaning(rates.density)
        others = (queued_before or {}).get(work.document.id, QueueAhead())
        since = max(now - work.followed.at, 0.0) if work.followed.total else 0.0
        if work.stage == "recognising":
            words = _seconds(work.followed.total - work.followed.done, work.followed.rate, since)
        else:
            words = 0.0 if work.document.is_stored else _seconds(unread + others.unread, rates.bytes, since)
        meaning = _seconds(passages + others.passages, rates.passages, since)
        if meaning is not None and words is not None:
            meaning = max(meaning, words)
        stage = work.stage
        followed = work.followed if work.followed.stage == stage else RunProgress()
        found.append(DocumentProgress(work.document.id, stage, followed.done, followed.total, words, meaning))
    return found


def _seconds(left: float, rate: float | None, since: float) -> float | None:
    return max(left / rate - since, 0.0) if rate else None


QueuedOf = Callable[[str], Awaitable[Sequence[Queued]]]
"""Maps a user to the unfinished jobs that this user may see."""


class ToldProgress:
    """Publishes the progress of this process's documents to the other processes. For a run that it resumes in the
    middle, nothing is published until the next step."""

    def __init__(self, ledger: RunLedger, shared: SharedProgress) -> None:
        self._shared = shared
        self._followed: LruCache[str, RunProgress] = LruCache(MOST_TOLD)
        ledger.listen(self._heard)

    def _heard(self, run: Run, events: Sequence[Event], at: float) -> None:
        if run.kind != "ingestion":
            return
        was_told = run.id in self._followed
        for event in events:
            self._take(run.id, event, at)
        if followed := self._followed.get(run.id):
            self._shared.tell(run.id, _AS_TEXT.dump_json(followed).decode())
        elif was_told or any(isinstance(event, StepDetail) for event in events):
            self._shared.tell(run.id, None)  # another process's figures for it are out of date now

    def _take(self, run_id: str, event: Event, at: float) -> None:
        if isinstance(event, RunCompleted):
            self._followed.pop(run_id, None)
        elif isinstance(event, StepCreated):
            self._followed.setdefault(run_id, RunProgress())
        if followed := self._followed.get(run_id):
            followed.take(at, event)


class ReadingProgress:
    """Follows the runs of documents that are being read. It only fetches new events, and none if the reading process
    publishes its progress (``shared``). ``queued`` is optional: without it, only the user's own documents count as
    waiting."""

    def __init__(
        self, ledger: RunLedger, clock: Clock, queued: QueuedOf | None = None, shared: SharedProgress | None = None
    ) -> None:
        self._ledger = ledger
        self._queued = queued
        self._clock = clock
        self._shared = shared
        self._followed: dict[str, RunProgress] = {}
        self._rates = Rates()
        self._throughput = Throughput()

    async def of(self, busy: Sequence[Document]) -> dict[str, DocumentProgress]:
        """The progress of each document that is being read, by id; ``busy`` are all of one user's."""
        told = await self._told(busy)
        queue = [
            PendingWork(each, told.get(each.run_id or "") or await self._run_progress(each))
            for each in _documents_in_order(busy)
        ]
        self._forget({each.run_id for each in busy if each.run_id})
        queued = await self._queued(busy[0].user_id) if self._queued and busy else []
        self._throughput.look(self._clock(), queued)
        self._measure(queue)
        queued_before = queues_ahead(busy, queued)
        return {each.document_id: each for each in document_progress(queue, self._rates, self._clock(), queued_before)}

    async def _told(self, busy: Sequence[Document]) -> dict[str, RunProgress]:
        """Published progress by run; entries from a process with another version are skipped."""
        shared = await self._shared.of([each.run_id for each in busy if each.run_id]) if self._shared else {}
        found: dict[str, RunProgress] = {}
        for run_id, text in shared.items():
            with contextlib.suppress(ValidationError):
                found[run_id] = _AS_TEXT.validate_json(text)
        return found

    async def _run_progress(self, document: Document) -> RunProgress:
        if document.run_id is None or document.state == "pending":
            return RunProgress()
        followed = self._followed.setdefault(document.run_id, RunProgress())
        followed.fold(await self._ledger.entries(document.user_id, document.run_id, followed.sequence))
        return replace(followed)

    def _forget(self, runs: set[str]) -> None:
        if len(self._followed) > 4 * len(runs) + 100:
            self._followed = {run: each for run, each in self._followed.items() if run in runs}

    def _measure(self, queue: Sequence[PendingWork]) -> None:
        """Update the rates. A document that is long enough to be measured predicts the next ones better than many short
        ones together."""
        self._rates.bytes = self._throughput.bytes or self._rates.bytes
        self._rates.passages = self._throughput.passages or self._rates.passages
        for work in queue:
            rate, document = work.followed.rate, work.document
            if rate and work.followed.stage == "reading":
                self._rates.bytes = rate / work.followed.total * document.size
            elif rate and work.followed.stage == "meaning":
                self._rates.passages = rate
        read = [work.document for work in queue if work.document.chunks and not work.document.recognition]
        if read:
            self._rates.density = sum(each.chunks for each in read) / max(sum(each.size for each in read), 1)


def _documents_in_order(busy: Sequence[Document]) -> list[Document]:
    """The documents closest to completion come first, then the order in which the queue takes their jobs."""
    return sorted(busy, key=lambda each: (not each.is_stored, each.state == "pending", _due(each), each.id))


def _due(document: Document) -> float:
    return document.added_at + document.size / OVERTAKEN_BYTES
