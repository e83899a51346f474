from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.outcomes.scoring import quality, replayed, score_after, shrunk_mean, wilson
from core.setting_groups import Memory
from core.store.items import Outcome, Stats

SETTINGS = Memory()

outcomes = st.lists(st.sampled_from(["worked", "failed", "partial", "unknown"]), max_size=30)


@given(outcomes, st.floats(0, 1))
def test_a_score_stays_between_nothing_and_one(heard: list[Outcome], initial: float) -> None:
    stats = replayed(Stats(initial_score=round(initial, 3)), heard, SETTINGS)
    assert 0 <= stats.score <= 1
    assert 0 <= stats.wilson_score <= 1
    assert stats.uses == sum(each != "unknown" for each in heard)


@given(outcomes)
def test_success_never_lowers_what_ranking_goes_by(heard: list[Outcome]) -> None:
    before = shrunk_mean(heard.count("worked"), len(heard))
    assert shrunk_mean(heard.count("worked") + 1, len(heard) + 1) >= before


@pytest.mark.parametrize(
    ("successes", "trials", "expected"), [(0, 0, 0.0), (3, 3, 0.438), (1, 1, 0.207), (8, 10, 0.490), (0, 5, 0.0)]
)
def test_wilson_by_hand(successes: int, trials: int, expected: float) -> None:
    assert wilson(successes, trials) == pytest.approx(expected, abs=1e-3)


def test_a_score_by_hand() -> None:
    stats = replayed(Stats(initial_score=0.7), ["worked", "worked", "failed", "partial"], SETTINGS)
    assert stats.score == pytest.approx(0.75)  # 0.7, 0.9, 1.0, 0.7, 0.75
    assert stats.success_rate == pytest.approx(2 / 3)
    assert stats.last_outcome == "partial"


@pytest.mark.parametrize(
    ("score", "outcome", "expected"),
    [
        (0.5, "worked", 0.7),
        (0.95, "worked", 1.0),
        (0.5, "failed", 0.2),
        (0.2, "failed", 0.0),
        (0.98, "partial", 1.0),
        (0.1, "partial", 0.15),
        (0.123, "unknown", 0.123),
    ],
)
def test_one_outcome_by_hand(score: float, outcome: Outcome, expected: float) -> None:
    assert score_after(score, outcome, SETTINGS) == expected


@given(outcomes, st.data())
def test_counts_do_not_depend_on_the_order(heard: list[Outcome], data: st.DataObject) -> None:
    """The score depends on the order when it reaches 0 or 1; the counts never do."""
    one, other = (replayed(Stats(), each, SETTINGS) for each in (heard, data.draw(st.permutations(heard))))
    ordered = {"score", "last_outcome"}
    assert one.model_dump(exclude=ordered) == other.model_dump(exclude=ordered)


@given(st.lists(st.sampled_from(["worked", "partial", "unknown"]), max_size=8))
def test_without_failures_the_order_is_all_the_same(heard: list[Outcome]) -> None:
    assert replayed(Stats(), heard, SETTINGS).score == replayed(Stats(), sorted(heard), SETTINGS).score


@given(outcomes, st.sampled_from(["worked", "failed", "partial", "unknown"]))
def test_replaying_forgets_what_the_record_said_before(heard: list[Outcome], earlier: Outcome) -> None:
    fresh = replayed(Stats(), heard, SETTINGS)
    assert replayed(replayed(Stats(), [earlier, *heard], SETTINGS), heard, SETTINGS) == fresh


def test_quality_is_importance_times_confidence() -> None:
    assert quality(0.9, 0.8).quality_score == 0.72
