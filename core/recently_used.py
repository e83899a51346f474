"""What was used last: a dictionary that forgets what nobody has used for the longest."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentlyUsed(OrderedDict[Key, Value]):
    """At most ``most`` entries; one that is set is the last to go, and so is one that ``move_to_end`` is told of."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self._most:
            self.popitem(last=False)
