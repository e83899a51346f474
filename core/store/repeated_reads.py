"""Caches repeated reads: *a key and how to read it* → the result, read once until the next write."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from core.lru_cache import LruCache
from core.store.truth import Collection

Found = TypeVar("Found")

MOST = 1_000
"""Maximum number of cached results; the least recently used is dropped first."""


class RepeatedReads(Generic[Found]):
    """A cache for one collection. If its ``version`` is not known (others write to it too), nothing is cached."""

    def __init__(self, rows: Collection, most: int = MOST) -> None:
        self._rows = rows
        self._kept: LruCache[Hashable, tuple[int, tuple[Found, ...]]] = LruCache(most)

    async def read(self, key: Hashable, read: Callable[[], Awaitable[Sequence[Found]]]) -> list[Found]:
        """The cached result, or else the result of a new read. ``key`` identifies the user and the rows."""
        version = self._rows.version
        kept = self._kept.use(key)
        if kept is not None and kept[0] == version:
            return list(kept[1])
        found = await read()
        if version is not None:
            self._kept[key] = version, tuple(found)
        return list(found)
