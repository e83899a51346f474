from __future__ import annotations

import pytest

from core.memory.recall.turn import Turn

A, B, C = (f"mem_{letter * 32}" for letter in "abc")


@pytest.fixture
def turn() -> Turn:
    turn = Turn("ada", "msg_1", "What is the limit?")
    turn.shown([(A, "history"), (B, "memory_bank")])
    return turn


@pytest.mark.parametrize(
    ("related", "expected"),
    [
        ([1], [A]),
        ([2, 1], [B, A]),
        (["2"], [B]),
        ([A, 1], [A]),
        ([B], [B]),
        ([], None),
        (None, None),
        ([3], None),
        ([0], None),
        ([-1], None),
        ([1, C], None),
        (["second"], None),
    ],
)
def test_references_are_positions_or_ids(
    turn: Turn, related: list[int | str] | None, expected: list[str] | None
) -> None:
    assert turn.resolve(related) == expected


def test_a_new_search_numbers_anew_and_the_earlier_one_stays_known(turn: Turn) -> None:
    turn.shown([(C, "working")])
    assert turn.resolve([1]) == [C]
    assert turn.resolve([A]) == [A]
    assert turn.resolve([2]) is None


def test_one_refinement_unless_more_are_wished_for(turn: Turn) -> None:
    assert turn.may_search()
    turn.refinements = 1
    assert not turn.may_search()
    turn.more_searches = True
    assert turn.may_search()
