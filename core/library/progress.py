"""Estimates reading progress and remaining time: *the events of documents' runs* → seconds that remain.

Rates are measured, not assumed: bytes read and passages embedded per second, over all jobs of the last minutes, or over
the current job at the beginning. Without any measurement, no time is given. Reading and embedding are two queues, each
with an order of its jobs.
"""

from __future__ import annotations

import contextlib
import math
from bisect import bisect_left
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
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
from core.runs.jobs import OVERTAKEN_BYTES, JobKind, Queued
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
    pause: float = 0.0

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
        self.pause = at - self.at
        self.done, self.total, self.at = done, total, at

    def since(self, now: float) -> float:
        """Seconds since the last report, at most as long as the one before took: a late report saves no time."""
        return min(max(now - self.at, 0.0), self.pause) if self.total else 0.0

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
    """The remaining work for one document, in queue order. ``due``: of its job, if that is known."""

    document: Document
    followed: RunProgress = field(default_factory=RunProgress)
    due: float = 0.0

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

    @property
    def current(self) -> RunProgress:
        """What the run reported of the current stage; nothing if it reported only an earlier one."""
        return self.followed if self.followed.stage == self.stage else RunProgress()

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
    before = queued_before or {}
    words: dict[str, float | None] = {}
    unread = 0.0
    for work in queue:
        unread += work.unread
        others = before.get(work.document.id, QueueAhead())
        words[work.document.id] = _until_read(work, unread + others.unread, rates, now)
    meaning: dict[str, float | None] = {}
    passages = 0.0
    for work in sorted(queue, key=lambda each: _embedding_due(each, words[each.document.id], rates, now)):
        passages += work.without_meaning(rates.density)
        others = before.get(work.document.id, QueueAhead())
        seconds = _seconds(passages + others.passages, rates.passages, work.current.since(now))
        read = words[work.document.id]
        meaning[work.document.id] = seconds if seconds is None or read is None else max(seconds, read)
    return [
        DocumentProgress(
            work.document.id,
            work.stage,
            work.current.done,
            work.current.total,
            words[work.document.id],
            meaning[work.document.id],
        )
        for work in queue
    ]


def _until_read(work: PendingWork, unread: float, rates: Rates, now: float) -> float | None:
    current = work.current
    if work.stage == "recognising":
        return _seconds(current.total - current.done, current.rate, current.since(now))
    return 0.0 if work.document.is_stored else _seconds(unread, rates.bytes, current.since(now))


def _embedding_due(work: PendingWork, words: float | None, rates: Rates, now: float) -> float:
    """When the document's embedding is due: a running job first, then as the queue orders the jobs. A short file that
    is read later may overtake a long one."""
    if work.document.is_stored:
        return -math.inf if work.current.total else work.due
    return now + (words or 0.0) + work.without_meaning(rates.density) * BYTES_A_VECTOR / OVERTAKEN_BYTES


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


@dataclass(frozen=True)
class _Measured:
    """What one user's looks measure: each user sees only the progress of own jobs."""

    reading: Throughput = field(default_factory=Throughput)
    embedding: Throughput = field(default_factory=Throughput)


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
        self._measured: LruCache[str, _Measured] = LruCache(MOST_TOLD)

    async def of(self, busy: Sequence[Document]) -> dict[str, DocumentProgress]:
        """The progress of each document that is being read, by id; ``busy`` are all of one user's."""
        told = await self._told(busy)
        queued = await self._queued(busy[0].user_id) if self._queued and busy else []
        due = {each.subject_id: each.due for each in queued if each.subject_id}
        queue = []
        for each in busy:
            followed = told.get(each.run_id or "") or await self._run_progress(each)
            queue.append(PendingWork(each, followed, due.get(each.id, _due(each))))
        queue.sort(key=_turn)
        self._forget({each.run_id for each in busy if each.run_id})
        self._measure(queue, queued)
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

    def _measure(self, queue: Sequence[PendingWork], queued: Sequence[Queued]) -> None:
        """Update the rates. The work of all documents together predicts the next ones best; until that is measured, the
        current document does."""
        now = self._clock()
        read = [work.document for work in queue if work.document.chunks and not work.document.recognition]
        if read:
            self._rates.density = sum(each.chunks for each in read) / max(sum(each.size for each in read), 1)
        for work in queue:
            rate = work.current.rate
            if rate and work.stage == "reading":
                self._rates.bytes = rate / work.current.total * work.document.size
            elif rate and work.stage == "meaning":
                self._rates.passages = rate
        own = [work for work in queue if not work.document.recognition]
        unread: dict[Hashable, float] = {work.document.id: work.unread for work in own if not work.document.is_stored}
        passages: dict[Hashable, float] = {
            work.document.id: work.without_meaning(0.0) for work in own if work.document.is_stored
        }
        if queue:
            measured = self._measured.setdefault(queue[0].document.user_id, _Measured())
            measured.reading.look(now, {**_of_others("reading", queued), **unread})
            measured.embedding.look(now, {**_of_others("embedding", queued, BYTES_A_VECTOR), **passages})
            self._rates.bytes = measured.reading.rate or self._rates.bytes
            self._rates.passages = measured.embedding.rate or self._rates.passages


def _of_others(kind: JobKind, queued: Sequence[Queued], unit: int = 1) -> dict[Hashable, float]:
    """Other users' jobs, each as a whole: their progress is not known here."""
    return {(each.due, each.size): each.size / unit for each in queued if each.kind == kind and not each.subject_id}


def _turn(work: PendingWork) -> tuple[bool, bool, float, str]:
    """The documents closest to completion come first, then the order in which the queue takes their jobs."""
    document = work.document
    return not document.is_stored, document.state == "pending", work.due, document.id


def _due(document: Document) -> float:
    size = document.vectors_size if document.is_stored else document.size
    return document.added_at + size / OVERTAKEN_BYTES
