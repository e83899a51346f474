from __future__ import annotations

from core.knowledge.edges import OWN_EDGES, _thinned


def test_the_strongest_edges_stay_and_nobody_is_left_alone() -> None:
    hub = [("a", f"n{n}", dict.fromkeys(map(str, range(9)))) for n in range(30)]
    weak = [("x", "y", {"1": None})]
    kept = _thinned([*hub, *weak], 10)
    assert ("x", "y") in {(one, other) for one, other, _ in kept}
    assert len(kept) == 31
    dense = [(f"n{a}", f"n{b}", {"1": None}) for a in range(20) for b in range(a)]
    kept = _thinned(dense, 50)
    ends = [end for one, other, _ in kept for end in (one, other)]
    assert len(kept) <= 50
    assert all(ends.count(f"n{n}") >= OWN_EDGES for n in range(20))


def test_few_edges_are_all_shown() -> None:
    assert len(_thinned([("a", "b", {}), ("b", "c", {})], 2)) == 2
