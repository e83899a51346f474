"""Tests that unusual figures are reported at two levels, and that too few cases report nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.operations.figures.daily import Day
from core.operations.figures.figures import Figures
from core.operations.figures.levels import GROWN_BYTES, unusual

TODAY = "2026-11-25"


def counted(**counts: float) -> Figures:
    """Makes daily counts: ``outcomes__failed=3`` means a count of three for ``outcomes:failed``."""
    figures = Figures()
    for name, amount in counts.items():
        figures.count(name.replace("__", ":"), amount)
    return figures


def timed(seconds: float, times: int) -> Figures:
    figures = Figures()
    for _ in range(times):
        figures.time("answer:whole", seconds)
    return figures


def found(hour: Figures | None = None, *days: Day) -> dict[str | None, str]:
    return {each.warning: each.state for each in unusual(hour or Figures(), days, TODAY)}


FINE = {None: "green"}


def test_nothing_is_nothing_unusual() -> None:
    assert found() == FINE


@pytest.mark.parametrize(
    ("warning", "share", "failing"),
    [
        ("answers_failing", (5, 6, 15, 16), lambda bad: counted(outcomes__answered=100 - bad, outcomes__failed=bad)),
        ("tools_failing", (5, 6, 15, 16), lambda bad: counted(tool_calls__ok=100 - bad, tool_calls__timeout=bad)),
        ("falling_back", (20, 21, 40, 41), lambda bad: counted(answers__extractive=100, fallbacks__model=bad)),
        ("answers_slow", (29, 31, 59, 61), lambda mean: timed(mean, 3)),
        ("tools_looping", (1, 2, 5, 6), lambda loops: counted(tool_calls__looped=loops)),
    ],
)
def test_beyond_a_level_it_is_a_warning_and_beyond_the_next_critical(
    warning: str, share: tuple[int, ...], failing: Callable[[int], Figures]
) -> None:
    assert [found(failing(each)) for each in share] == [
        FINE, {warning: "amber"}, {warning: "amber"}, {warning: "red"},
    ]  # fmt: skip


def test_few_runs_say_nothing() -> None:
    assert found(counted(outcomes__answered=4, outcomes__failed=5)) == FINE
    assert found(timed(100.0, 2)) == FINE


def test_what_was_stopped_by_its_person_has_not_failed() -> None:
    assert found(counted(outcomes__answered=20, outcomes__cancelled=20)) == FINE


@pytest.mark.parametrize(("times", "state"), [(1, "amber"), (2, "amber"), (3, "red")])
def test_want_of_memory_counts_by_the_day(times: int, state: str) -> None:
    assert found(None, Day(day=TODAY, counts={"memory:process": times})) == {"out_of_memory": state}


def day(name: str, seconds: float, times: int) -> Day:
    return Day.model_validate({"day": name, "times": kept(seconds, times)})


def kept(seconds: float, times: int) -> dict[str, object]:
    histogram = timed(seconds, times).time_of("answer:whole")
    buckets = {f"b{bucket}": count for bucket, count in histogram.buckets.items()}
    return {"answer:whole": {"buckets": buckets, "total": histogram.total}}


@pytest.mark.parametrize(
    ("now", "before", "warned"),
    [
        ((2.4, 10), (0.9, 30), True),
        ((1.4, 10), (0.9, 30), False),
        ((9.0, 9), (0.9, 30), False),
        ((9.0, 10), (0.9, 29), False),
    ],
)
def test_a_day_is_held_against_its_week(now: tuple[float, int], before: tuple[float, int], warned: bool) -> None:
    told = found(None, day("2026-11-20", *before), day(TODAY, *now))
    assert told == ({"slower_than_usual": "amber"} if warned else FINE)


def test_the_week_is_its_seven_days_together() -> None:
    week = [day(f"2026-11-{number}", 0.9, 5) for number in range(18, 25)]
    long_ago = [day(f"2026-11-0{number}", 100.0, 90) for number in range(1, 5)]
    assert found(None, *long_ago, *week, day(TODAY, 2.4, 10)) == {"slower_than_usual": "amber"}


@pytest.mark.parametrize(
    ("was", "grown", "warned"),
    [
        (GROWN_BYTES, 1.1 * GROWN_BYTES, True),
        (GROWN_BYTES / 10, 0.5 * GROWN_BYTES, False),
        (10 * GROWN_BYTES, 2 * GROWN_BYTES, False),
    ],
)
def test_data_that_grow_at_once_are_told_of(was: float, grown: float, warned: bool) -> None:
    told = found(None, Day(day="2026-11-24", bytes=was), Day(day=TODAY, bytes=was + grown))
    assert told == ({"storage_growing": "amber"} if warned else FINE)
