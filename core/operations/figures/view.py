"""Prepares stored figures for display: each day of a period, and the steps over all days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import get_args

from core.errors import Category
from core.messages.step_labels import STEP_LABELS
from core.operations.figures.daily import Day
from core.operations.figures.figures import Histogram, together
from core.operations.figures.records import FigureDay, FiguresView, StepTimes, Times

UNTIL = ("first_event", "first_token", "whole")


def view_of(known: Sequence[Day], today: str, days: int) -> FiguresView:
    """Figures of the last ``days`` days; steps are in the order in which a run executes them."""
    by_day = {each.day: each for each in known}
    last = date.fromisoformat(today)
    span = [str(last - timedelta(days=back)) for back in reversed(range(days))]
    everything = together(by_day[each].figures for each in span if each in by_day)
    steps = everything.times_of("stage")
    return FiguresView(
        days=[_day(by_day.get(each, Day(day=each))) for each in span],
        answers={until: Times(**_times(everything.time_of(f"answer:{until}"))) for until in UNTIL},
        steps=[
            StepTimes(name=name, label=label, **_times(steps[name]))
            for name, label in STEP_LABELS.items()
            if name in steps
        ],
        tool_calls={name: int(count) for name, count in everything.of("tool_calls").items()},
    )


def _day(known: Day) -> FigureDay:
    figures = known.figures
    outcomes, model, happened = figures.of("outcomes"), figures.of("model"), figures.of("happened")
    calls = figures.of("tool_calls")
    return FigureDay(
        day=known.day,
        answered=int(outcomes.get("answered", 0)),
        failed=int(outcomes.get("failed", 0)),
        tokens_in=int(model.get("tokens_in", 0)),
        tokens_out=int(model.get("tokens_out", 0)),
        cost=model.get("cost", 0.0),
        instead=int(figures.of("fallbacks").get("model", 0) + happened.get("fallbacks", 0) + calls.get("fell_back", 0)),
        promotions=int(happened.get("promotions", 0)),
        repairs=int(happened.get("repairs", 0)),
        tools=int(sum(figures.of("tools").values())),
        tool_failures=int(sum(calls.get(category, 0) for category in get_args(Category))),
        tiers={tier: int(count) for tier, count in figures.of("tier_hits").items()},
        bytes=known.bytes,
        **{until: Times(**_times(figures.time_of(f"answer:{until}"))) for until in UNTIL},
    )


def _times(histogram: Histogram) -> dict[str, float]:
    p50, p95, p99 = (round(1000 * histogram.quantile(share), 1) for share in (0.5, 0.95, 0.99))
    return {"count": histogram.count, "p50": p50, "p95": p95, "p99": p99}
