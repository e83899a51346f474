"""Compares only values of periods of one length: *panel* → the panel with a value of that length per organisation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.figures.panel.records import Panel, PanelPoint
from core.figures.panel.spans import WEEK, is_length


def of_one_length(panel: Panel) -> Panel:
    """Returns a panel that ranks organisations with only the newest value of one length for each: the length that the
    question names, or else the one that most organisations report, the longest of several. The values of organisations
    without that length are moved to ``unlike``. Other panels are unchanged.
    """
    if not panel.question.ranks or not panel.points:
        return panel
    usual = _length(panel)
    made = []
    unlike = list(panel.unlike)
    for series in panel.series:
        fitting = [point for point in series.points if _is_near(point.days, usual)]
        unlike += series.points[-1:] if not fitting else []
        made.append(series.model_copy(update={"points": tuple(fitting[-1:])}))
    return panel.model_copy(update={"series": tuple(made), "unlike": tuple(unlike)})


def months_compared(panel: Panel) -> int | None:
    """Returns the months of the values that are ranked if organisations are left out for another length, and the
    question names no length; their reports may give values of that length too."""
    if panel.question.months is not None or not panel.unlike or not panel.points:
        return None
    return next((months for months in (3, 6, 9, 12) if is_length(panel.points[0].days, months)), None)


def differ(points: Iterable[PanelPoint]) -> bool:
    """Returns whether the points cover times of different lengths."""
    lengths = [point.days for point in points]
    return bool(lengths) and max(lengths) - min(lengths) > WEEK


def is_of_another_length(panel: Panel) -> bool:
    """Returns whether the values that are ranked cover another length of time than the question names; a balance on a
    day does not."""
    months = panel.question.months if panel.question.ranks else None
    return months is not None and any(point.days and not is_length(point.days, months) for point in panel.points)


def _length(panel: Panel) -> int:
    """Returns the days of the length that decides."""
    own = [{point.days for point in series.points} for series in panel.series if series.points]
    lengths = sorted({days for each in own for days in each}, reverse=True)
    months = panel.question.months
    named = [days for days in lengths if months is not None and is_length(days, months)]
    return max(named or lengths, key=lambda days: _count(days, own))


def _count(days: int, own: Sequence[set[int]]) -> int:
    return sum(any(_is_near(days, other) for other in each) for each in own)


def _is_near(one: int, other: int) -> bool:
    return abs(one - other) <= WEEK
