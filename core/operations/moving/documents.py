"""A collection of the truth as a shelf: *its documents* → rows by ``_id``, digested as canonical JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Sequence

from core.operations.moving.carrying import BATCH, Row
from core.store.truth import Collection, Json, Upsert
from core.store.typed_collection import pages


class Documents:
    """``Shelf`` of one collection."""

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

    async def proof(self, row: Row[Json]) -> Row[Json]:
        return row


def digest(value: object) -> bytes:
    """SHA-256 of a JSON value, whatever the order of its keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"), default=_hexadecimal)
    return hashlib.sha256(text.encode()).digest()


def _hexadecimal(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    raise TypeError(f"{type(value).__name__} is no JSON")
