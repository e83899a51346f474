"""Finds the gaps of a series: times that no document covers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from core.figures.panel.records import PanelPoint
from core.figures.panel.spans import QUARTER, WEEK, YEAR

LONG_GAP = 45
"""Days between two periods from which they leave out some time."""


def gaps(points: Sequence[PanelPoint]) -> list[tuple[PanelPoint, PanelPoint]]:
    """Returns the quarters, or years, of a series in time order between which it has no value."""
    if not any(all(point.days in length for point in points) for length in (QUARTER, YEAR)):
        return []
    return [(one, other) for one, other in pairwise(points) if not are_adjacent(one, other)]


def are_adjacent(earlier: PanelPoint, later: PanelPoint) -> bool:
    """Returns whether a period begins where the other ends."""
    return (later.end - earlier.end).days - later.days <= LONG_GAP


def are_comparable(one: PanelPoint, other: PanelPoint) -> bool:
    """Returns whether two values have the same unit and currency and periods of the same length."""
    return abs(one.days - other.days) <= WEEK and (one.unit, one.currency) == (other.unit, other.currency)


def is_year_before(earlier: PanelPoint, later: PanelPoint) -> bool:
    """Returns whether a period ends a year before another that is as long."""
    return are_comparable(earlier, later) and abs((later.end - earlier.end).days - 365) <= WEEK
