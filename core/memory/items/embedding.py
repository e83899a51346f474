"""Gives items their dense vectors in the background: findable by words at once, by meaning soon."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import PalimpsestError
from core.memory.items.embedding_priority import EmbeddingPriority
from core.memory.items.writing import REMEMBERED, MemoryItems
from core.models.embeddings import Embeddings
from core.records.findings import FINDINGS, FindingKind
from core.records.memory_meta import Tier
from core.resilience.dependencies import Dependency
from core.resilience.ending import end
from core.store.index import Vector
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

_OWN_WORK: tuple[tuple[tuple[Tier, ...], tuple[FindingKind, ...]], ...] = ((REMEMBERED, ()), (("books",), FINDINGS))
"""Tiers and kinds whose vectors no job makes."""


@dataclass
class Embedder:
    """Wakes after a write and at every upkeep, works until nothing waits, and then sleeps.

    Its work are memories, what a model took out of books, and before them what questions have touched; other passages
    of books have jobs of their own.

    ``accepted``: whether vectors can be stored now, which they cannot while the index fits another model.
    """

    _items: MemoryItems
    _embeddings: Embeddings | None
    _dependency: Dependency
    _batch: int = 32
    _accepted: Callable[[], bool] = lambda: True

    def __post_init__(self) -> None:
        self._due = asyncio.Event()
        self._working = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._refused: set[str] = set()
        self._touched = EmbeddingPriority()

    async def start(self) -> None:
        """Begin with what an earlier process has left."""
        if self._task is None:
            self.wake()
            self._task = asyncio.create_task(self._run(), name="embedder")

    async def stop(self) -> None:
        """What waits goes on waiting in the truth."""
        task, self._task = self._task, None
        if task is not None:
            await end([task])

    def wake(self) -> None:
        """Something waits for its vector; costs nothing and waits for nothing."""
        self._due.set()

    def prefer(self, user_id: str, ids: Sequence[str]) -> None:
        """A question found these by words, best first: they come next. Costs nothing and waits for nothing."""
        self._touched.note(user_id, ids)
        self.wake()

    async def drain(self) -> int:
        """Give every waiting memory and every touched passage its vector now; how many were taken up.

        Raises:
            PalimpsestError: the model or the index is not to be had; what was done stays done.
        """
        done = 0
        async with self._working:
            while written := await self._embed_batch():
                done += written
        return done

    async def _run(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            try:
                await self.drain()
            except Exception as error:
                log.warning("vectors of memories wait for the next upkeep: %s", error)

    async def _embed_batch(self) -> int:
        """One batch; how many were taken up. A text that the model refuses holds up no other."""
        embeddings = self._embeddings
        if embeddings is None or not self._accepted():
            return 0
        return await self._touched_batch(embeddings) or await self._memories_batch(embeddings)

    async def _touched_batch(self, embeddings: Embeddings) -> int:
        while self._touched:
            user_id, ids = self._touched.take(self._batch)
            async with self._items.giving:
                if done := await self._write_vectors(embeddings, await self._items.pending_among(user_id, ids)):
                    return done
        return 0

    async def _memories_batch(self, embeddings: Embeddings) -> int:
        most = self._batch + len(self._refused)
        for tiers, kinds in _OWN_WORK:
            waiting = await self._items.pending_vectors(None, None, most, tiers, kinds)
            if done := await self._write_vectors(embeddings, waiting):
                return done
        return 0

    async def _write_vectors(self, embeddings: Embeddings, waiting: Sequence[MemoryItem]) -> int:
        """Of one batch of those that no model has refused; how many were taken up."""
        items = [item for item in waiting if item.id not in self._refused][: self._batch]
        if not items:
            return 0
        vectors = await embed(embeddings, items, self._dependency)
        self._refused |= {item.id for item in items} - vectors.keys()
        given = [item for item in items if item.id in vectors]
        if given:
            await self._items.set_vectors(given, np.stack([vectors[item.id] for item in given]))
        return len(items)


async def embed(embeddings: Embeddings, items: Sequence[MemoryItem], dependency: Dependency) -> dict[str, Vector]:
    """Item id to vector; a text that the model refuses has none and holds up no other.

    Raises:
        Exception: the model is not to be had now.
    """
    texts = [item.embedded_text for item in items]
    try:
        vectors = await dependency.attempt(lambda: embeddings.embed_passages(texts))
    except Exception as error:
        if not _is_refusal(error):
            raise
        if len(items) == 1:
            log.error("%s has no vector: %s", items[0].id, error)
            return {}
        each = [await embed(embeddings, [item], dependency) for item in items]
        return {item_id: vector for one in each for item_id, vector in one.items()}
    return {item.id: vector for item, vector in zip(items, vectors, strict=True)}


def _is_refusal(error: Exception) -> bool:
    """Whether the model answered that it will not have these texts: asking again would not help."""
    category = error.problem.category if isinstance(error, PalimpsestError) else None
    return isinstance(error, ValueError) or category == "validation"
