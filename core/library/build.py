"""Builds the library: *truth, files, retrieval* → ``Library`` with its queues, readers and duties, kept going."""

from __future__ import annotations

import asyncio
import logging
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from core.clock import Clock
from core.coordination.shared_progress import SharedProgress
from core.ids import NewId
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.build import build_annotation
from core.library.contextual.cache import ContextCache
from core.library.digest import digest
from core.library.group_sharing import GroupSharing
from core.library.ingestion import EmbeddingWorker, ReadingWorker
from core.library.intelligence.build import build_intelligence
from core.library.intelligence.giving_way import Questions
from core.library.intelligence.verification import Refuted, Suspicious
from core.library.library import Library, Submission
from core.library.progress import ReadingProgress, ToldProgress
from core.library.reading import Readers
from core.library.records import Document
from core.library.removed_documents import RemovedDocuments
from core.library.rereading import Rereading
from core.library.samples import SampleReadings, load_samples, sample_vectors
from core.library.sets import Sets
from core.library.viewing.viewer import Viewer
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.runs.jobs import JobKind, JobQueue
from core.runs.ledger import RunLedger
from core.settings import Settings
from core.store.files import FileStore
from core.store.scope import GroupOf, no_group
from core.store.truth import Truth

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

log = logging.getLogger(__name__)

VECTORS_AGAIN_SECONDS = 300.0
"""How long a document is left findable by text alone before its vectors are tried again."""
ABANDONED_LEASES = 2.0
"""Leases after which what no job works on has been abandoned by its process."""


class LibraryServices:
    """``library``, ``viewer``, ``sets`` and what keeps them going; ``start`` before use, ``stop`` at the end.

    ``suspicious`` says of a text whether the model that wrote it was taken over by what it read, ``refuted`` of a
    statement whether the passage that it rests on speaks against it."""

    def __init__(
        self,
        settings: Settings,
        truth: Truth,
        files: FileStore,
        catalogue: Catalogue,
        retrieval: Retrieval,
        ledger: RunLedger,
        models: ChatModels,
        questions: Questions,
        suspicious: Suspicious,
        refuted: Refuted,
        clock: Clock,
        identifiers: NewId,
        owner: str,
        group_of: GroupOf = no_group,
        dispatch: Callable[[JobKind], Dispatch | None] = lambda _: None,
        shared_progress: SharedProgress | None = None,
    ) -> None:
        self._settings = settings
        self._retrieval = retrieval
        self._stack = AsyncExitStack()
        items = retrieval.items
        contents, departures = Contents(truth), RemovedDocuments(truth, catalogue)
        queued = truth, clock, identifiers, owner, settings.jobs, ledger.announcements
        self.reading = JobQueue("reading", *queued, dispatch("reading"))
        self.embedding = JobQueue("embedding", *queued, dispatch("embedding"))
        self.extracting = JobQueue("extraction", *queued, dispatch("extraction"))
        self.library = Library(
            catalogue,
            items,
            contents,
            departures,
            files,
            ledger,
            self.reading,
            self.embedding,
            self.extracting,
            clock,
            identifiers,
            settings,
            self._consider,
        )
        self.viewer = Viewer(catalogue, items, contents, files, settings)
        self.sets = Sets(truth, catalogue, clock, identifiers, group_of)
        self.sharing = GroupSharing(catalogue, items, self.sets, group_of)
        self.progress = ReadingProgress(ledger, clock, self.embedding.queued, shared_progress)
        if shared_progress:
            ToldProgress(ledger, shared_progress)
        self._readers = Readers()
        self.rereading = Rereading(catalogue, items, files, clock, settings, self._readers)
        self.samples = load_samples()
        self._cache = ContextCache(truth, clock, settings.prefix.cache_days)
        self._ensured = (catalogue, contents, departures, self._cache, self.sets)
        shared = catalogue, items, contents, ledger, clock, settings
        samples = frozenset(map(digest, self.samples.paths))
        annotation = build_annotation(
            settings,
            truth,
            catalogue,
            contents,
            items,
            self._cache,
            models,
            retrieval.metrics.observe,
            suspicious,
            samples,
        )
        intelligence = build_intelligence(
            shared,
            self._cache,
            self.viewer,
            self.extracting,
            models,
            questions,
            retrieval.embedder.wake,
            retrieval.metrics.observe,
            suspicious,
            refuted,
            identifiers,
            samples,
        )
        self.books, self.sections = intelligence.books, intelligence.sections
        self._extractor = intelligence.worker
        self._embedder = EmbeddingWorker(*shared, lambda: retrieval.dense_off, annotation, self._consider)
        self._reader = ReadingWorker(*shared, files, self.embedding, SampleReadings(settings), self._readers)
        self._meaning_was_off = True
        """Since the round of upkeep before; what waits for vectors gets them in the first round without it."""

    async def ensure(self) -> None:
        for service in self._ensured:
            await service.ensure()

    async def start(self, *, alone: bool) -> None:
        """Take up the jobs that were left; ``alone``: no other process works on them."""
        self._stack.push_async_callback(self.viewer.stop)
        self._stack.push_async_callback(self._readers.stop)
        await self.library.resume(0.0 if alone else ABANDONED_LEASES * self._settings.jobs.lease)
        await self.embedding.start(self._embedder, alone=alone)
        self._stack.push_async_callback(self.embedding.stop)
        await self.reading.start(self._reader, alone=alone)
        self._stack.push_async_callback(self.reading.stop)
        await (self.books.resume(0.0) if alone else self.books.resume())
        await self.extracting.start(self._extractor, alone=alone)
        self._stack.push_async_callback(self.extracting.stop)

    async def drain(self) -> None:
        """Begin no more jobs; returns when those that go on have ended, or their time is over."""
        queues = (self.reading, self.embedding, self.extracting)
        await asyncio.gather(*(queue.drain(self._settings.jobs.drain) for queue in queues))

    async def stop(self) -> None:
        await self._stack.aclose()

    def duties(self, undo: float) -> Iterator[Awaitable[object]]:
        """``undo``: seconds for which what was deleted can be brought back."""
        was_off, self._meaning_was_off = self._meaning_was_off, False
        self.follow_settings()
        if not self._meaning_was_off:
            yield self.library.finish_vectors(0.0 if was_off else VECTORS_AGAIN_SECONDS)
        yield self.library.compact(undo)
        yield self.sets.compact(undo)
        yield self._cache.purge()
        yield self.library.resume(ABANDONED_LEASES * self._settings.jobs.lease)
        yield self.books.catch_up()

    def follow_settings(self) -> None:
        """Notice that meaning is off, however shortly."""
        self._meaning_was_off = self._meaning_was_off or self._retrieval.dense_off is not None

    async def _consider(self, document: Document) -> None:
        """What follows on a document that is published and read. It is no part of either, and fails neither."""
        try:
            await self.books.consider(document)
        except Exception:
            log.warning("%s is left to the next upkeep", document.id, exc_info=True)

    async def load_samples(self, user_id: str) -> list[Submission]:
        """Copies of the sample documents, each submitted as if it had been dropped.

        Their readings and vectors come with them, so that the first question finds all of them.
        """
        await self._retrieval.accept_vectors(await asyncio.to_thread(sample_vectors))
        submissions = []
        for path in self.samples.paths:
            with tempfile.TemporaryDirectory(prefix="palimpsest-sample-") as folder:
                copy = await asyncio.to_thread(shutil.copy, path, folder)
                submissions.append(await self.library.submit(user_id, Path(copy), path.name))
        return submissions
