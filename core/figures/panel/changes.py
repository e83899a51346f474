"""Computes how each value of a series has changed: from the period before, and within a year."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.figures.numbers import MINUS, figure, natural
from core.figures.panel.gaps import are_adjacent, are_comparable, is_year_before
from core.figures.panel.records import PanelPoint
from core.figures.panel.wording import signed_text
from core.messages import message
from core.words import Language

_NONE = "–"


@dataclass(frozen=True)
class Change:
    """The change of a value from the period directly before it, and its growth within a year, in words; a dash if the
    series has no value to compare with."""

    change: str = _NONE
    growth: str = _NONE


def changes(points: Sequence[PanelPoint], language: Language) -> dict[PanelPoint, Change]:
    """Returns how each value of a series, in time order, has changed."""
    found: dict[PanelPoint, Change] = {}
    for place, point in enumerate(points):
        before = points[place - 1] if place else None
        near = before is not None and are_comparable(before, point) and (not point.days or are_adjacent(before, point))
        year = next((each for each in points[:place] if is_year_before(each, point)), None)
        change = _change(before, point, language) if near and before is not None else _NONE
        found[point] = Change(change, _growth(year, point, language) if year is not None else _NONE)
    return found


def changed(found: Iterable[Change]) -> list[str]:
    """Returns the fields that at least one change fills."""
    given = list(found)
    return [name for name in ("change", "growth") if any(getattr(each, name) != _NONE for each in given)]


def _change(before: PanelPoint, point: PanelPoint, language: Language) -> str:
    if point.unit == "%":
        return _in_points(before, point, language)
    decimals = max(before.decimals, point.decimals) if before.scale == point.scale else point.decimals
    moved = round((point.value - before.value) / point.scale, decimals)
    sign = "+" if moved > 0 else MINUS if moved < 0 else ""
    shown = figure(abs(moved), point.unit or None, point.scale, point.currency or None, decimals, language)
    percent = _percent(before, point)
    return f"{sign}{shown} ({percent})" if percent else f"{sign}{shown}"


def _growth(year: PanelPoint, point: PanelPoint, language: Language) -> str:
    return _in_points(year, point, language) if point.unit == "%" else _percent(year, point) or _NONE


def _percent(before: PanelPoint, point: PanelPoint) -> str:
    """Returns the growth in per cent; nothing if one of the values is not positive."""
    if before.value <= 0 or point.value <= 0:
        return ""
    return f"{signed_text(round(100 * (point.value / before.value - 1), 1))} %"


def _in_points(before: PanelPoint, point: PanelPoint, language: Language) -> str:
    moved = round(round(100 * point.value, point.decimals) - round(100 * before.value, before.decimals), 1)
    shown = message("answering.panel.points", value=natural(abs(moved), 1)).to(language)
    return f"{'+' if moved > 0 else MINUS if moved < 0 else ''}{shown}"
