"""Tests charts of the memory: their figures come from what was learned; without such data there are no charts."""

from __future__ import annotations

import json

import pytest

from core.knowledge.views import DayOutcomes, DayTiers, History, TierSuccess
from viz.knowledge.charts import charts

HISTORY = History(
    outcomes=[DayOutcomes(day="2026-01-01", worked=2, failed=1), DayOutcomes(day="2026-01-02", partial=1)],
    tiers=[
        DayTiers(day="2026-01-01", tiers={"books": 3}),
        DayTiers(day="2026-01-02", tiers={"books": 3, "working": 1}),
    ],
    routing=[
        TierSuccess(tier="books", worked=3, failed=1, success_rate=0.75, wilson_score=0.3),
        TierSuccess(tier="history"),
    ],
)


def figures(language: str) -> dict[str, dict]:
    return {name: json.loads(figure) for name, figure in charts(HISTORY, language).items()}  # type: ignore[arg-type]


def test_nothing_learned_makes_no_chart() -> None:
    assert charts(History(), "en") == {}
    empty = History(outcomes=[DayOutcomes(day="2026-01-01")], routing=[TierSuccess(tier="books")])
    assert charts(empty, "en") == {}


def test_each_chart_counts_what_happened() -> None:
    drawn = figures("en")
    assert {trace["name"]: list(trace["y"]) for trace in drawn["outcomes"]["data"]} == {
        "worked": [2, 0],
        "partly": [0, 1],
        "failed": [1, 0],
    }
    assert [trace["name"] for trace in drawn["tiers"]["data"]] == ["working memory", "documents"]
    (bar,) = drawn["routing"]["data"]
    assert (list(bar["x"]), list(bar["y"]), bar["text"]) == (["documents"], [0.75], ["3 of 4"])
    assert list(bar["error_y"]["arrayminus"]) == pytest.approx([0.45])


def test_charts_speak_hebrew_and_fetch_nothing() -> None:
    drawn = figures("he")
    assert drawn["routing"]["layout"]["title"]["text"] == "שיעור הצלחה לפי שכבה"
    assert "http" not in json.dumps(drawn)
