"""A bounded memory: what was used longest ago goes first."""

from __future__ import annotations

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
