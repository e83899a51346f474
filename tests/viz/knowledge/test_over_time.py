"""Tests figures of a concept over time: what makes a series, and how it is drawn."""

from __future__ import annotations

from core.figures.stored.records import StoredFigure
from viz.knowledge.over_time import LEAST, over_time, series_among


def figure(period: str, value: float, label: str = "Revenue", **given: object) -> StoredFigure:
    fields = {"document_id": "doc_1", "title": "Report", "entity": "Pelagit", "currency": "USD", "page": 4, **given}
    return StoredFigure(label=label, period=period, value=value, text=f"{value:g}", **fields)  # type: ignore[arg-type]


YEARS = [figure(str(2019 + n), 10.0 + n) for n in range(LEAST + 1)]


def test_a_series_has_one_value_for_each_period_of_one_length() -> None:
    others = [figure("2020-Q1", 3.0), figure("2021", 99.0), figure("2020", 1.0, label="Profit"), figure("no period", 1)]
    (series,) = series_among([*reversed(YEARS), *others], "en")
    assert [each.period for each in series.figures] == ["2019", "2020", "2021", "2022"]
    assert series.unit == "USD"
    points = series.points()
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert points[-1][1] < points[0][1], "a larger value is higher"


def test_the_values_lead_to_their_documents() -> None:
    html = over_time(YEARS, "en")
    assert html.count('data-document="doc_1"') == len(YEARS)
    assert "<polyline" in html
    assert "Pelagit · Revenue" in html


def test_few_or_equal_values_are_not_drawn() -> None:
    assert over_time(YEARS[: LEAST - 1], "en") == ""
    assert over_time([figure(str(2019 + n), 5.0) for n in range(5)], "en") == ""
