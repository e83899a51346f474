"""Records that are read over and over: *a row* → its record, made once for as long as the row stays what it was."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel

from core.lru_cache import LruCache
from core.store.truth import Json

Record = TypeVar("Record", bound=BaseModel)

MOST = 10_000
"""Records that are kept; the one that was longest not read goes first."""


class ParsedRows(Generic[Record]):
    """Of one collection, whose ``model`` is frozen: whoever reads a row gets the same record."""

    def __init__(self, model: type[Record], most: int = MOST) -> None:
        self._model = model
        self._known: LruCache[object, tuple[Json, Record]] = LruCache(most)

    def read(self, row: Json) -> Record:
        """Raises ``ValidationError`` for a row that is no record."""
        id = row["_id"]
        known = self._known.get(id)
        if known is not None and known[0] == row:
            self._known.move_to_end(id)
            return known[1]
        record = self._model.model_validate(row)
        self._known[id] = row, record
        return record
