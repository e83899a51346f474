"""Caches values derived from recently searched items: their terms, their row labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Generic, TypeVar

from core.lru_cache import LruCache
from core.store.items import ItemText

_CACHED = 10_000
"""Maximum number of items in the cache; a memory search reads about 1,600. The same limit as in
``core/memory/items/known_rows.py``."""

T = TypeVar("T")


class ItemCache(Generic[T]):
    """Caches what ``work_out`` returns for an item, until the item changes; thread-safe."""

    def __init__(self, work_out: Callable[[ItemText], T]) -> None:
        self._work_out = work_out
        self._known: LruCache[tuple[str, float], T] = LruCache(_CACHED)
        self._changing = Lock()

    def of_all(self, items: Iterable[ItemText]) -> dict[str, T]:
        """Returns the value for each item, by its id."""
        with self._changing:
            known = [(item, self._known.use((item.id, item.timestamps.updated_at))) for item in items]
        return {item.id: self.of(item) if found is None else found for item, found in known}

    def of(self, item: ItemText) -> T:
        key = (item.id, item.timestamps.updated_at)
        with self._changing:
            if (known := self._known.use(key)) is not None:
                return known
        found = self._work_out(item)
        with self._changing:
            self._known[key] = found
        return found
