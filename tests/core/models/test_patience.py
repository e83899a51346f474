from __future__ import annotations

from core.models.calls.patience import MOST_CALLS, Patience


def test_a_model_gets_as_long_as_it_has_shown_to_need() -> None:
    patience = Patience(least=10, most=60)
    waits = [patience.seconds]
    for took in (2.0, 20.0, 90.0):
        patience.ended(took)
        waits.append(patience.seconds)
    assert waits == [10, 10, 30, 60]


def test_one_slow_call_of_many_is_forgotten() -> None:
    patience = Patience(least=10, most=60)
    patience.ended(40.0)
    for _ in range(MOST_CALLS - 1):
        patience.ended(2.0)
    assert patience.seconds == 10


def test_a_late_call_counts_once_the_model_has_finished_another() -> None:
    patience = Patience(least=10, most=60)
    patience.late(10)
    hanging = patience.seconds
    patience.ended()
    assert (hanging, patience.seconds) == (10, 30)
