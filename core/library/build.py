"""Builds the library: *record store, files, retrieval* → ``Library`` with job queues, readers and maintenance."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import Clock
from core.coordination.shared_progress import SharedProgress
from core.ids import NewId
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.annotation import build_annotation
from core.library.contextual.cache import ContextCache
from core.library.contextual.prompt import Suspicious
from core.library.digest import digest
from core.library.group_sharing import GroupSharing
from core.library.ingestion import EmbeddingWorker, ReadingWorker
from core.library.intake.submission import Submission
from core.library.intelligence.build import build_intelligence
from core.library.intelligence.giving_way import Questions
from core.library.intelligence.verification import Refuted
from core.library.library import Library
from core.library.progress import ReadingProgress, ToldProgress
from core.library.reading import Readers
from core.library.recognition.job import RecognitionWorker
from core.library.recognition.kept_pages import RecognisedPages
from core.library.records import Document
from core.library.removed_documents import RemovedDocuments
from core.library.rereading import Rereading
from core.library.samples import SampleReadings, load_samples, sample_vectors
from core.library.sets import Sets
from core.library.stalled_readings import StalledReadings
from core.library.tables.figures import TableFigures
from core.library.viewing.viewer import Viewer
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.runs.jobs import JobKind, JobQueue
from core.runs.ledger import RunLedger
from core.settings import Settings
from core.store.files import FileStore
from core.store.holding import Holder
from core.store.mutual_exclusion import MutualExclusion
from core.store.scope import GroupOf
from core.store.truth import Truth

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

log = logging.getLogger(__name__)

VECTORS_AGAIN_SECONDS = 300.0
"""Time for which a document stays searchable by text only before its vectors are tried again."""
ABANDONED_LEASES = 2.0
"""Number of lease periods after which a document without a job counts as abandoned by its process."""
TURN_SECONDS = 300.0
"""Longest wait for another process that takes over files of the same person: enough for some dozens of large files."""


@dataclass
class LibraryServices:
    """Holds ``library``, ``viewer``, ``sets`` and their background work; call ``start`` before use and ``stop`` at the
    end.

    ``suspicious`` checks whether a text was written by a model that followed instructions in what it read. ``refuted``
    checks whether a passage contradicts the statement that cites it.
    """

    _settings: Settings
    _truth: Truth
    _files: FileStore
    _catalogue: Catalogue
    _retrieval: Retrieval
    _ledger: RunLedger
    _models: ChatModels
    _questions: Questions
    _figures: TableFigures
    _suspicious: Suspicious
    _refuted: Refuted
    _clock: Clock
    _new_id: NewId
    _owner: str
    _group_of: GroupOf
    _dispatch: Callable[[JobKind], Dispatch | None]
    _shared_progress: SharedProgress | None

    def __post_init__(self) -> None:
        self._stack = AsyncExitStack()
        self._items = self._retrieval.items
        self.reading, self.embedding = self._queue("reading"), self._queue("embedding")
        self.recognising, self.extracting = self._queue("recognition"), self._queue("extraction")
        self._pages = RecognisedPages(self._truth)
        self._contents = Contents(self._truth)
        self._departures = RemovedDocuments(self._truth, self._catalogue)
        self.samples = load_samples()
        self._meaning_was_off = True
        """Whether embeddings were off in the previous maintenance round. Waiting documents get their vectors in the
        first round after they are back on."""
        self._build_library()
        self._build_workers()

    def _queue(self, kind: JobKind) -> JobQueue:
        jobs = self._settings.jobs
        if kind == "recognition":  # One job uses all idle processors.
            jobs = jobs.model_copy(update={"workers": min(jobs.workers, 1)})
        return JobQueue(
            kind, self._truth, self._clock, self._new_id, self._owner, jobs, self._ledger.announcements,
            self._dispatch(kind),
        )  # fmt: skip

    def _turns(self) -> MutualExclusion:
        lease = self._settings.jobs.lease
        holder = Holder(self._owner, lease, self._clock) if self._settings.mongodb_uri else None
        return MutualExclusion(self._truth, "submissions", holder, TURN_SECONDS)

    def _build_library(self) -> None:
        catalogue, items, settings = self._catalogue, self._items, self._settings
        self.library = Library(
            catalogue, items, self._contents, self._departures, self._files, self._ledger, self.reading,
            self.recognising, self.embedding, self.extracting, self._pages, self._clock, self._new_id, settings,
            self._turns(), self._consider,
        )  # fmt: skip
        self.viewer = Viewer(catalogue, items, self._contents, self._files, settings)
        self.sets = Sets(self._truth, catalogue, self._clock, self._new_id, self._group_of)
        self.sharing = GroupSharing(catalogue, items, self.sets, self._group_of)
        self.progress = ReadingProgress(self._ledger, self._clock, self.embedding.queued, self._shared_progress)
        alone = settings.mongodb_uri is None
        self.stalled = StalledReadings(self._truth, self._clock, settings.jobs.lease, alone=alone)
        if self._shared_progress:
            ToldProgress(self._ledger, self._shared_progress)
        self._readers = Readers()
        self.rereading = Rereading(catalogue, items, self._files, self._clock, settings, self._readers, self._pages)

    def _build_workers(self) -> None:
        retrieval, observe = self._retrieval, self._retrieval.metrics.observe
        self._cache = ContextCache(self._truth, self._clock, self._settings.prefix.cache_days)
        samples = frozenset(map(digest, self.samples.paths))
        annotation = build_annotation(
            self._settings, self._truth, self._catalogue, self._contents, self._items, self._cache, self._models,
            observe, self._suspicious, samples,
        )  # fmt: skip
        shared = self._catalogue, self._items, self._contents, self._ledger, self._clock, self._settings
        self.books, self.sections, self._extractor = build_intelligence(
            shared, self._cache, self.viewer, self.extracting, self._models, self._questions, retrieval.embedder.wake,
            observe, self._suspicious, self._refuted, self._new_id, samples,
        )  # fmt: skip
        self._embedder = EmbeddingWorker(*shared, lambda: retrieval.dense_off, annotation, self._consider)
        reading = (
            *shared, self._files, self.recognising, self.embedding, SampleReadings(self._settings), self._readers,
            self._pages, self._figures,
        )  # fmt: skip
        self._reader, self._recogniser = ReadingWorker(*reading), RecognitionWorker(*reading)

    async def ensure(self) -> None:
        for service in (
            self._catalogue,
            self._contents,
            self._departures,
            self._cache,
            self.sets,
            self._pages,
            self._figures,
        ):
            await service.ensure()

    async def start(self, *, alone: bool) -> None:
        """Resume the jobs that were left over; ``alone``: no other process works on them."""
        self._stack.push_async_callback(self.viewer.stop)
        self._stack.push_async_callback(self.library.burials.stop)
        self._stack.push_async_callback(self._readers.stop)
        await self.library.upkeep.resume(0.0 if alone else ABANDONED_LEASES * self._settings.jobs.lease)
        await self.embedding.start(self._embedder, alone=alone)
        self._stack.push_async_callback(self.embedding.stop)
        await self.recognising.start(self._recogniser, alone=alone)
        self._stack.push_async_callback(self.recognising.stop)
        await self.reading.start(self._reader, alone=alone)
        self._stack.push_async_callback(self.reading.stop)
        await (self.books.resume(0.0) if alone else self.books.resume())
        await self.extracting.start(self._extractor, alone=alone)
        self._stack.push_async_callback(self.extracting.stop)

    async def drain(self) -> None:
        """Start no more jobs; returns when the running jobs have ended or the time limit is over."""
        queues = (self.reading, self.recognising, self.embedding, self.extracting)
        await asyncio.gather(*(queue.drain(self._settings.jobs.drain) for queue in queues))

    async def stop(self) -> None:
        await self._stack.aclose()

    def duties(self, undo: float) -> Iterator[Awaitable[object]]:
        """Return the maintenance tasks. ``undo``: seconds for which a deletion can be undone."""
        was_off, self._meaning_was_off = self._meaning_was_off, False
        self.follow_settings()
        if not self._meaning_was_off:
            yield self.library.upkeep.finish_vectors(0.0 if was_off else VECTORS_AGAIN_SECONDS)
        yield self.library.upkeep.compact(undo)
        yield self.sets.compact(undo)
        yield self._cache.purge()
        yield self.library.upkeep.resume(ABANDONED_LEASES * self._settings.jobs.lease)
        yield self.books.catch_up()
        yield self._figures.catch_up()

    def follow_settings(self) -> None:
        """Notice when embeddings are switched off, even for a short time."""
        self._meaning_was_off = self._meaning_was_off or self._retrieval.dense_off is not None

    async def _consider(self, document: Document) -> None:
        """Run the follow-up work on a published, fully read document. An error here fails neither the publishing nor
        the reading."""
        try:
            await self.books.consider(document)
        except Exception:
            log.warning("%s is left to the next upkeep", document.id, exc_info=True)

    async def load_samples(self, user_id: str) -> list[Submission]:
        """Submit each sample document, as if the user had uploaded it.

        Their readings and vectors are included, so that the first question can search all of them.
        """
        await self._retrieval.accept_vectors(await asyncio.to_thread(sample_vectors))
        submissions = []
        for path in self.samples.paths:
            submissions.append(await self.library.submit(user_id, path, path.name))
        return submissions
