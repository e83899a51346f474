"""Tests the display of stored daily usage figures: no day is missing, and the intervals cover all days."""

from __future__ import annotations

from core.operations.figures.daily import Day
from core.operations.figures.view import view_of

TODAY = "2026-03-02"


def test_every_day_of_the_span_is_there_and_no_other() -> None:
    known = [
        Day(day="2026-02-01", counts={"outcomes:answered": 9}),
        Day(day="2026-02-28", counts={"outcomes:answered": 3, "model:cost": 0.5, "tier_hits:books": 7}, bytes=12.0),
        Day(day=TODAY, counts={"outcomes:failed": 1, "tool_calls:ok": 2, "tool_calls:timeout": 1, "tools:web": 3}),
    ]
    view = view_of(known, TODAY, 4)
    assert [each.day for each in view.days] == ["2026-02-27", "2026-02-28", "2026-03-01", TODAY]
    assert [each.answered for each in view.days] == [0, 3, 0, 0]
    assert (view.days[1].cost, view.days[1].tiers, view.days[1].bytes) == (0.5, {"books": 7}, 12.0)
    assert (view.days[3].failed, view.days[3].tools, view.days[3].tool_failures) == (1, 3, 1)
    assert view.tool_calls == {"ok": 2, "timeout": 1}


def test_steps_stand_in_the_order_of_questions_with_what_all_days_took() -> None:
    of_step = {"buckets": {"b5": 2}, "total": 0.3}
    known = [
        Day.model_validate(
            {"day": "2026-03-01", "times": {"stage:generating": of_step, "stage:understanding": of_step}}
        ),
        Day.model_validate({"day": TODAY, "times": {"stage:generating": of_step, "answer:whole": of_step}}),
    ]
    view = view_of(known, TODAY, 7)
    assert [(each.name, each.count) for each in view.steps] == [("understanding", 2), ("generating", 4)]
    assert view.steps[0].label.en == "Understanding your request"
    assert 100.0 < view.steps[0].p50 < view.steps[0].p95 <= 200.0
    assert (view.answers["whole"].count, view.answers["first_token"].count) == (2, 0)
