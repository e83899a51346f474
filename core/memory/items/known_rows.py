"""Caches objects made from frequently read rows, by id; a cached object is dropped when its row is written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from pydantic import BaseModel

from core.lru_cache import LruCache
from core.store.truth import Collection

Made = TypeVar("Made")

MOST = 10_000
"""Maximum number of rows in the cache; the least recently used are dropped."""


class KnownRows(Generic[Made]):
    """A cache for one collection. If other processes can also write to it (its ``version`` is then unknown), nothing is
    cached."""

    def __init__(self, most: int = MOST) -> None:
        self._known: LruCache[str, tuple[int, Made]] = LruCache(most)

    def among(self, rows: Collection, ids: Iterable[str]) -> dict[str, Made]:
        """Cached objects of unchanged rows, by id."""
        version = rows.version
        if version is None:
            return {}
        found: dict[str, Made] = {}
        for id in ids:
            kept = self._known.use(id)
            if kept is not None and (kept[0] == version or rows.unchanged(id, kept[0])):
                found[id] = kept[1]
        return found

    def keep(self, version: int | None, made: Iterable[tuple[str, Made]]) -> None:
        """Cache objects; ``version`` is the collection's from before the rows were read."""
        if version is not None:
            for id, each in made:
                self._known[id] = version, each


def with_shared_names(record: BaseModel) -> None:
    """Let records that have all fields set share one set of field names; without this, these sets take two thirds of
    the memory that pydantic needs for a record."""
    names = _names_of(type(record))
    if len(record.__pydantic_fields_set__) == len(names):
        object.__setattr__(record, "__pydantic_fields_set__", names)
    for value in record.__dict__.values():
        if isinstance(value, BaseModel):
            with_shared_names(value)


@cache
def _names_of(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)
