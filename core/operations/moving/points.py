"""The index as a shelf: *its points with their vectors* → rows by id; vectors are carried, none is computed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from core.operations.moving.carrying import BATCH, Row
from core.operations.moving.documents import digest
from core.resilience.dependencies import Dependency
from core.store.index import Index, Point

SECONDS = 60.0
"""For one batch, read or written."""


class Points:
    """``Shelf`` of the collection that is served."""

    name = "index"

    def __init__(self, index: Index) -> None:
        self._index = index
        self._dependency = Dependency("The index", SECONDS)

    async def rows(self) -> AsyncIterator[Row[Point]]:
        page, after = await self._page(None)
        while True:
            for point in page:
                yield Row(point.id, point, _digest(point), point.dense)
            if after is None:
                return
            page, after = await self._page(after)

    async def _page(self, after: str | None) -> tuple[list[Point], str | None]:
        return await self._dependency.attempt(lambda: self._index.scroll(None, BATCH, after, with_vectors=True))

    async def put(self, rows: Sequence[Row[Point]]) -> None:
        points = [each.content for each in rows]
        await self._dependency.attempt(lambda: self._index.upsert(points))

    async def remove(self, keys: Sequence[str]) -> None:
        await self._dependency.attempt(lambda: self._index.delete(list(keys)))

    async def proof(self, row: Row[Point]) -> Row[Point]:
        return row


def _digest(point: Point) -> bytes:
    """Of its fields and words; the order of words is the engine's."""
    words = point.lexical and sorted(zip(point.lexical.indices, point.lexical.values, strict=True))
    return digest([point.id, point.payload, words, point.dense is not None])
