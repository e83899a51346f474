"""Tests whether a question takes the correction of another one."""

from __future__ import annotations

import pytest

from core.memory.corrections.matching import Asked, Standing, may_ask_same, standing_odds

CORRECTED = Asked("How much does a night at the hostel cost?", None, frozenset({"number"}))
REWORDED = Asked("What do guests pay for a bed until morning?", None, frozenset({"number"}))


@pytest.mark.parametrize(
    ("standing", "same"),
    [
        (Standing(-0.5, 0.0), True),
        (Standing(1.0, 1.0), True),
        (Standing(-3.5, 1.0), False),
        (Standing(-3.0, 0.5), False),
    ],
)
def test_a_pinned_sentence_competes_with_all_others(standing: Standing, same: bool) -> None:
    assert (standing_odds(REWORDED, CORRECTED, 0.8, standing) >= 0) is same


def test_a_rewording_may_add_figures_of_the_pinned_sentence_only() -> None:
    asked = Asked("What do guests pay for a bed from May 2026?", None, frozenset({"number"}))
    assert may_ask_same(asked, CORRECTED, "32 euros", "From May 2026 a night costs 32 euros.")
    assert not may_ask_same(asked, CORRECTED, "32 euros", "A night costs 32 euros.")
    assert not may_ask_same(CORRECTED, asked, "32 euros", "From May 2026 a night costs 32 euros.")


def test_a_count_answers_no_question_for_a_share() -> None:
    asked = Asked("What share of the beds is free?", None, frozenset({"share"}))
    assert may_ask_same(asked, CORRECTED, "61 percent")
    assert not may_ask_same(asked, CORRECTED, "three")
