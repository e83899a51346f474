"""What is worked out of the items that searches have seen last: an item → its terms, the labels of its rows."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

from core.lru_cache import LruCache
from core.store.items import ItemText

_CACHED = 8192
"""Items; a search of memories sees some five hundred."""

T = TypeVar("T")


class ItemCache(Generic[T]):
    """What ``work_out`` makes of an item, made anew when the item changes; searches in several threads may share it."""

    def __init__(self, work_out: Callable[[ItemText], T]) -> None:
        self._work_out = work_out
        self._known: LruCache[tuple[str, float], T] = LruCache(_CACHED)
        self._changing = Lock()

    def of(self, item: ItemText) -> T:
        key = (item.id, item.timestamps.updated_at)
        with self._changing:
            if (known := self._known.use(key)) is not None:
                return known
        found = self._work_out(item)
        with self._changing:
            self._known[key] = found
        return found
