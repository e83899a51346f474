"""Makes the chart of a panel: *panel* → lines over time, or a bar for each organisation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from core.figures.numbers import SCALES
from core.figures.panel.gaps import are_adjacent, are_comparable
from core.figures.panel.records import Panel, PanelPoint
from core.figures.panel.wording import Items, Numbers, period_of, reference, shown
from core.records.series_chart import LEAST_POINTS, ChartPoint, ChartSeries, SeriesChart
from core.words import Language

_SKIPPED = 1.5
"""Balances further apart than this many times the usual distance leave out a date."""
_MOST_TITLES = 4
_MOST_POINTS = 400


def panel_chart(panel: Panel, numbers: Numbers, items: Items, language: Language) -> SeriesChart | None:
    """Returns the chart; ``None`` for fewer than ``LEAST_POINTS`` values, and for values that cannot share an axis:
    of different units or currencies, or of periods of different length."""
    points = panel.points
    if not LEAST_POINTS <= len(points) <= _MOST_POINTS or not all(are_comparable(points[0], each) for each in points):
        return None
    scale = max(point.scale for point in points)
    series = [
        ChartSeries(name=each.organisation, points=_drawn(each.points, scale, numbers, items, language))
        for each in panel.series
        if each.points
    ]
    measure = panel.question.measure[:1].upper() + panel.question.measure[1:]
    titles = list(dict.fromkeys(cell.title for point in points for cell in point.cells if cell.title))
    return SeriesChart(
        title=f"{measure}, {series[0].name}" if len(series) == 1 and series[0].name else measure,
        measure=measure,
        over_time=any(len(each.points) > 1 for each in series),
        unit=_unit(points[0], scale, language),
        series=series,
        sources=[*titles[:_MOST_TITLES], *["…"] * (len(titles) > _MOST_TITLES)],
    )


def _unit(point: PanelPoint, scale: float, language: Language) -> str:
    named = SCALES[scale].to(language) if scale in SCALES else ""
    return point.unit if point.unit == "%" else " ".join(part for part in (point.currency, named, point.unit) if part)


def _drawn(
    points: Sequence[PanelPoint], scale: float, numbers: Numbers, items: Items, language: Language
) -> list[ChartPoint]:
    """Returns the values in time order, with a point without a value in each gap."""
    usual = min((later.end - earlier.end for earlier, later in pairwise(points)), default=None)
    found: list[ChartPoint] = []
    for place, point in enumerate(points):
        earlier = points[place - 1] if place else None
        if earlier is not None and usual is not None and _leaves_out(earlier, point, usual):
            found.append(ChartPoint(end=earlier.end + (point.end - earlier.end) / 2))
        found.append(
            ChartPoint(
                end=point.end,
                period=period_of(point, language),
                value=point.value if point.unit == "%" else point.value / scale,
                shown=shown(point, language),
                cell=reference(point.cells[0], numbers, items),
            )
        )
    return found


def _leaves_out(earlier: PanelPoint, later: PanelPoint, usual: timedelta) -> bool:
    return not are_adjacent(earlier, later) if later.days else later.end - earlier.end > usual * _SKIPPED
