"""Caches records that are read often: *a row* → its record, parsed once for as long as the row is unchanged."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel

from core.lru_cache import LruCache
from core.store.truth import Json

Record = TypeVar("Record", bound=BaseModel)

MOST = 10_000
"""Maximum number of cached records; the least recently used is dropped first."""


class ParsedRows(Generic[Record]):
    """A cache for one collection, whose ``model`` is frozen, so all readers of a row can share the record."""

    def __init__(self, model: type[Record], most: int = MOST) -> None:
        self._model = model
        self._known: LruCache[object, tuple[Json, Record]] = LruCache(most)

    def read(self, row: Json) -> Record:
        """The record of a row. Raises ``ValidationError`` if the row is not a valid record."""
        id = row["_id"]
        known = self._known.get(id)
        if known is not None and known[0] == row:
            self._known.move_to_end(id)
            return known[1]
        record = self._model.model_validate(row)
        self._known[id] = row, record
        return record
