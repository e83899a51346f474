"""Provides a bounded cache that drops the least recently used entry."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(OrderedDict[Key, Value]):
    """A cache with at most ``most`` entries. Setting an entry and ``use`` count as use; other reads do not. Other
    threads may remove an entry between two calls."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        with suppress(KeyError):
            self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)

    def use(self, key: Key) -> Value | None:
        """The entry, which then counts as just used; ``None`` if there is none."""
        try:
            self.move_to_end(key)
        except KeyError:
            return None
        return self.get(key)
