"""A bounded memory: *key, value* → kept until it is the one that was used longest ago of more than may be kept."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class LruCache(OrderedDict[Key, Value]):
    """Of ``most`` entries. What is set or asked for by ``use`` is the last to go; all else reads without using. Another
    thread may take an entry away between two steps of these."""

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
        """``None`` where nothing is kept."""
        try:
            self.move_to_end(key)
        except KeyError:
            return None
        return self.get(key)
