"""Tests the LRU cache: the least recently used entry is removed first."""

from __future__ import annotations

from collections import OrderedDict

from core.lru_cache import LruCache


def test_what_was_used_longest_ago_goes_first() -> None:
    kept: LruCache[str, int] = LruCache(2)
    kept["a"], kept["b"] = 1, 2
    assert kept.use("a") == 1
    kept["c"] = 3
    assert list(kept) == ["a", "c"]
    assert kept.use("b") is None


def test_what_is_set_again_is_used_and_what_is_only_looked_at_is_not() -> None:
    kept: LruCache[str, int] = LruCache(2)
    kept["a"], kept["b"] = 1, 2
    kept["a"] = 3
    assert kept.get("b") == 2
    kept.setdefault("c", 4)
    assert list(kept.items()) == [("a", 3), ("c", 4)]
    assert kept.pop("a") == 3


def test_what_another_thread_takes_away_meanwhile_is_no_error() -> None:
    class Raced(LruCache[str, int]):
        def move_to_end(self, key: str, last: bool = True) -> None:
            self.pop(key, None)
            super().move_to_end(key, last)

    kept = Raced(2)
    kept["a"] = 1
    OrderedDict.__setitem__(kept, "b", 2)
    assert kept.use("b") is None
