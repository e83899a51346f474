"""Reads that come again: *a key and how to read it* → what was found, read once until something is written."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Generic, TypeVar

from core.lru_cache import LruCache
from core.store.truth import Collection

Found = TypeVar("Found")

MOST = 1_000
"""Results that are kept; the one that was longest not asked for goes first."""


class RepeatedReads(Generic[Found]):
    """Of one collection. Where its ``version`` is not known (others write to it too), nothing is kept."""

    def __init__(self, rows: Collection, most: int = MOST) -> None:
        self._rows = rows
        self._kept: LruCache[Hashable, tuple[int, tuple[Found, ...]]] = LruCache(most)

    async def read(self, key: Hashable, read: Callable[[], Awaitable[Sequence[Found]]]) -> list[Found]:
        """``key`` tells whose rows are read, and which."""
        version = self._rows.version
        kept = self._kept.use(key)
        if kept is not None and kept[0] == version:
            return list(kept[1])
        found = await read()
        if version is not None:
            self._kept[key] = version, tuple(found)
        return list(found)
