"""Writes points, the copies of items in the vector index; all such writes go through here."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from core.ids import point_id
from core.language.terms import index_terms
from core.resilience.dependencies import Dependency
from core.search.sparse_vectors import AVERAGE_LENGTH, document_vector
from core.store.index import Index, Payload, Point, Vector
from core.store.items import SCORED, MemoryItem

log = logging.getLogger(__name__)

COPY_OF = "copy_of"
"""The payload field with the hash of the texts that a point was made from; no filter uses it."""


def vector_hash(item: MemoryItem, model: str) -> str:
    """A hash of everything that the item's vector depends on."""
    return hashlib.sha256(f"{model}\0{item.embedded_text}".encode()).hexdigest()


def fingerprint(item: MemoryItem) -> str:
    """A hash of the texts that the point's vectors were made from."""
    return hashlib.sha256(f"{item.searched_text}\0{item.embedded_text}".encode()).hexdigest()[:16]


def payload_of(item: MemoryItem) -> Payload:
    """The fields that filters use, and the outcome score for items that have one."""
    return {
        "user_id": item.user_id,
        "org_id": item.org_id,
        "tier": item.indexed_tier,
        "status": "active" if item.status == "pending" else item.status,
        "scope": item.scope,
        "document_id": item.document_id,
        "conversation_id": item.source.conversation_id,
        "tags": item.tags,
        "created_at": item.timestamps.created_at,
        "score": item.stats.score if item.tier in SCORED else None,
    }


def point_of(item: MemoryItem, dense: Vector | None = None) -> Point:
    """Make an item's copy for the index."""
    terms = index_terms(item.searched_text, item.language)
    lexical = document_vector(terms, AVERAGE_LENGTH[item.tier][item.language])
    payload = {**payload_of(item), COPY_OF: fingerprint(item)}
    return Point(id=point_id(item.id), payload=payload, lexical=lexical, dense=dense)


async def points_of(items: Sequence[MemoryItem], vectors: Mapping[str, Vector] | None = None) -> list[Point]:
    """Points of items, made in a thread; ``vectors`` by item id."""
    known = vectors or {}
    return await asyncio.to_thread(lambda: [point_of(item, known.get(item.id)) for item in items])


class IndexWriter:
    """Writes to the active index and, while a new one is being built, to that one too.

    A caller that reads the record store and writes the result must hold ``writing``. Then the last value read is the
    last one written, and an old text never replaces a new one.
    """

    def __init__(self, index: Index, dependency: Dependency | None = None) -> None:
        self.index = index
        self._dependency = dependency
        self.writing = asyncio.Lock()
        self._second: Index | None = None
        self._missed = False

    def mirror(self, second: Index | None) -> None:
        """Start to write to ``second`` too, or stop it (``None``)."""
        self._second, self._missed = second, False

    def take_missed(self) -> bool:
        """Whether the second index has missed a write since the last call of this method."""
        missed, self._missed = self._missed, False
        return missed

    async def put(self, points: Sequence[Point]) -> None:
        await self._write_to_each_index(lambda index: index.upsert(points))

    async def tell(self, ids: Sequence[str], payload: Payload) -> None:
        await self._write_to_each_index(lambda index: index.set_payload(ids, payload))

    async def give(self, vectors: Mapping[str, Vector]) -> None:
        """Write vectors. No user waits for this, so a failure does not count for the circuit breaker: an index that
        belongs to another model refuses vectors, and that must not block the writing of texts."""
        await self._write_to_each_index(lambda index: index.set_dense(vectors), bounded=False)

    async def remove(self, ids: Sequence[str]) -> None:
        await self._write_to_each_index(lambda index: index.delete(ids))

    async def _write_to_each_index(self, write: Callable[[Index], Awaitable[None]], *, bounded: bool = True) -> None:
        """Write to both indexes. A failure of the second one must not block writers: writes that it misses are repeated
        before it becomes active."""
        if self._second is not None:
            try:
                await write(self._second)
            except Exception:
                self._missed = True
                log.warning("the index being filled has missed a write", exc_info=True)
        if self._dependency is None or not bounded:
            await write(self.index)
        else:
            await self._dependency.attempt(lambda: write(self.index))
