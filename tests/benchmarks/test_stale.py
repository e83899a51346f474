from __future__ import annotations

from benchmarks.stale import count


def test_what_was_changed_or_put_away_is_never_found_again() -> None:
    stale, fresh = count(40)
    assert stale == 0
    assert fresh > 100
