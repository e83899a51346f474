"""Points: the copies of items that the index keeps, and the one way in which they are written."""

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
"""The payload field that says which texts a point was made from; nothing filters by it."""


def vector_hash(item: MemoryItem, model: str) -> str:
    """Changes when anything changes that the vector depends on."""
    return hashlib.sha256(f"{model}\0{item.embedded_text}".encode()).hexdigest()


def fingerprint(item: MemoryItem) -> str:
    """Changes with the texts that the point's vectors are of."""
    return hashlib.sha256(f"{item.searched_text}\0{item.embedded_text}".encode()).hexdigest()[:16]


def payload_of(item: MemoryItem) -> Payload:
    """The fields that queries filter by, and the score that outcomes gave, where they do."""
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
    """The copy of an item that the index keeps."""
    terms = index_terms(item.searched_text, item.language)
    lexical = document_vector(terms, AVERAGE_LENGTH[item.tier][item.language])
    payload = {**payload_of(item), COPY_OF: fingerprint(item)}
    return Point(id=point_id(item.id), payload=payload, lexical=lexical, dense=dense)


async def points_of(items: Sequence[MemoryItem], vectors: Mapping[str, Vector] | None = None) -> list[Point]:
    """Their points, made in a thread; ``vectors`` by item id."""
    known = vectors or {}
    return await asyncio.to_thread(lambda: [point_of(item, known.get(item.id)) for item in items])


class IndexWriter:
    """Writes to the index that serves and, while one is being filled beside it, to that one too.

    ``writing`` is held by whoever reads the truth and writes what it says: so what was read last is written last, and
    an old text never comes after a new one.
    """

    def __init__(self, index: Index, dependency: Dependency | None = None) -> None:
        self.index = index
        self._dependency = dependency
        self.writing = asyncio.Lock()
        self._second: Index | None = None
        self._missed = False

    def mirror(self, second: Index | None) -> None:
        """Write to ``second`` too from now on, or no longer."""
        self._second, self._missed = second, False

    def take_missed(self) -> bool:
        """Whether the second index has missed a write since this was asked last."""
        missed, self._missed = self._missed, False
        return missed

    async def put(self, points: Sequence[Point]) -> None:
        await self._write_to_each_index(lambda index: index.upsert(points))

    async def tell(self, ids: Sequence[str], payload: Payload) -> None:
        await self._write_to_each_index(lambda index: index.set_payload(ids, payload))

    async def give(self, vectors: Mapping[str, Vector]) -> None:
        """Nobody waits for it, and an index of another model refuses it: that must not keep words from being written,
        so no breaker hears of it."""
        await self._write_to_each_index(lambda index: index.set_dense(vectors), bounded=False)

    async def remove(self, ids: Sequence[str]) -> None:
        await self._write_to_each_index(lambda index: index.delete(ids))

    async def _write_to_each_index(self, write: Callable[[Index], Awaitable[None]], *, bounded: bool = True) -> None:
        """The second index must not keep anyone from writing: what it misses is made up for before it serves."""
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
