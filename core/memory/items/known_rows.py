"""What was made of rows that are read over and over: *an id* → it, for as long as the row is not written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Generic, TypeVar

from pydantic import BaseModel

from core.lru_cache import LruCache
from core.store.truth import Collection

Made = TypeVar("Made")

MOST = 10_000
"""Rows of which something is kept; what was longest not asked for goes first."""


class KnownRows(Generic[Made]):
    """Of one collection. Where others write to it too (its ``version`` is not known), nothing is kept."""

    def __init__(self, most: int = MOST) -> None:
        self._known: LruCache[str, tuple[int, Made]] = LruCache(most)

    def among(self, rows: Collection, ids: Iterable[str]) -> dict[str, Made]:
        """What is kept of rows that are as they were, by id."""
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
        """``version`` of the collection from before the rows were read."""
        if version is not None:
            for id, each in made:
                self._known[id] = version, each


def with_shared_names(record: BaseModel) -> None:
    """Let the record, and those in it, share the names of the fields that were set with all others in which all were:
    they are two thirds of what pydantic keeps for a record."""
    names = _names_of(type(record))
    if len(record.__pydantic_fields_set__) == len(names):
        object.__setattr__(record, "__pydantic_fields_set__", names)
    for value in record.__dict__.values():
        if isinstance(value, BaseModel):
            with_shared_names(value)


@cache
def _names_of(model: type[BaseModel]) -> set[str]:
    return set(model.model_fields)
