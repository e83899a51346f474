"""Provides documents, threads and index points as shelves: rows by key, each with its digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict

from core.operations.moving.carrying import BATCH, Row, Shelf
from core.resilience.dependencies import Dependency
from core.store.index import Index, Point
from core.store.threads.stored import StoredThread, ThreadStore
from core.store.truth import Collection, Json, Upsert
from core.store.typed_collection import pages

SECONDS = 60.0
"""Timeout in seconds for reading or writing one batch of points."""


class Documents(Shelf[Json]):
    """One collection of the record store: rows by ``_id``, with a digest of their canonical JSON."""

    def __init__(self, name: str, collection: Collection) -> None:
        self.name = name
        self._collection = collection

    async def rows(self) -> AsyncIterator[Row[Json]]:
        async for page in pages(self._collection, BATCH):
            for document in page:
                yield Row(str(document["_id"]), document, digest(document))

    async def put(self, rows: Sequence[Row[Json]]) -> None:
        await self._collection.bulk([Upsert(each.content) for each in rows])

    async def remove(self, keys: Sequence[str]) -> None:
        await self._collection.delete({"_id": {"$in": list(keys)}})


class Threads(Shelf[StoredThread]):
    """The agent's memory of conversations: one row per thread, with its bytes unchanged."""

    name = "checkpoints"

    def __init__(self, store: ThreadStore) -> None:
        self._store = store

    async def rows(self) -> AsyncIterator[Row[StoredThread]]:
        thread = await self._store.following("")
        while thread is not None:
            yield Row(thread.id, thread, digest(asdict(thread)))
            thread = await self._store.following(thread.id)

    async def put(self, rows: Sequence[Row[StoredThread]]) -> None:
        for each in rows:
            await self._store.replace(each.content)

    async def remove(self, keys: Sequence[str]) -> None:
        for each in keys:
            await self._store.delete(each)


class Points(Shelf[Point]):
    """The collection of the active index; vectors are copied, and none is computed."""

    name = "index"

    def __init__(self, index: Index) -> None:
        self._index = index
        self._dependency = Dependency("The index", SECONDS)

    async def rows(self) -> AsyncIterator[Row[Point]]:
        page, after = await self._page(None)
        while True:
            for point in page:
                yield Row(point.id, point, _digest_of_point(point), point.dense)
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


def digest(value: object) -> bytes:
    """SHA-256 of a JSON value, independent of the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=_hexadecimal)
    return hashlib.sha256(text.encode()).digest()


def _hexadecimal(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value).__name__} is no JSON")


def _digest_of_point(point: Point) -> bytes:
    """A digest of the point's fields and words; it ignores the order of words, which depends on the store."""
    words = point.lexical and sorted(zip(point.lexical.indices, point.lexical.values, strict=True))
    return digest([point.id, point.payload, words, point.dense is not None])
