"""Computes items' dense vectors in the background. New items can be found by keyword immediately, by semantic search
later."""

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
"""Tiers and item kinds whose vectors this module computes; all others get theirs from a document's job."""


@dataclass
class Embedder:
    """Runs after a write and at each maintenance run until no item waits for a vector, then sleeps.

    It embeds memories and the findings that a model extracted from books. Passages that questions have found come
    first; a book's other passages are embedded by the document's own job.

    ``accepted``: whether vectors can be stored now. They cannot while the index belongs to another model.
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
        """Start, first with the items that an earlier process left."""
        if self._task is None:
            self.wake()
            self._task = asyncio.create_task(self._run(), name="embedder")

    async def stop(self) -> None:
        """Stop; the record store still marks the items that wait for a vector."""
        task, self._task = self._task, None
        if task is not None:
            await end([task])

    def wake(self) -> None:
        """Signal that an item waits for its vector; returns immediately."""
        self._due.set()

    def prefer(self, user_id: str, ids: Sequence[str]) -> None:
        """Put items that a question found by keyword, best first, at the front of the queue; returns immediately."""
        self._touched.note(user_id, ids)
        self.wake()

    async def drain(self) -> int:
        """Embed all waiting memories and prioritised passages now; returns how many were processed.

        Raises:
            PalimpsestError: the model or the index is not available; finished work is kept.
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
        """Embed one batch; returns the number of items processed. A text that the model refuses does not delay the
        others."""
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
        """Embed one batch of items, none of which a model has refused; returns the number of items processed."""
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
    """Vectors by item id; a text that the model refuses gets none and does not delay others.

    Raises:
        Exception: the model is not available now.
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
    """Whether the model refused these texts, so that a retry would not help."""
    category = error.problem.category if isinstance(error, PalimpsestError) else None
    return isinstance(error, ValueError) or category == "validation"
