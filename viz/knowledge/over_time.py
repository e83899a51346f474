"""Renders figures of a concept over time: a line for each series, with its values and documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from core.figures.measures.wording import period_text
from core.figures.numbers import SCALES
from core.figures.stored.records import StoredFigure
from core.language.entities.periods import extent
from core.messages import message
from core.words import Language
from viz.templating import render

LEAST = 3
"""Least number of values that make a series."""
MOST = 3
"""Number of series that are shown, the longest first."""
MOST_VALUES = 16
WIDTH, HEIGHT, EDGE = 280.0, 64.0, 6.0
"""Size of a drawing in pixels, and the distance of the line from its edges."""


@dataclass(frozen=True)
class Series:
    """Values of one measure over time, oldest first, one for each period."""

    title: str
    unit: str
    figures: Sequence[StoredFigure]

    def points(self) -> list[tuple[float, float]]:
        """The places of the values in the drawing."""
        days = [extent(each.period)[1].toordinal() for each in self.figures]
        values = [each.value * each.scale for each in self.figures]
        return [
            (round(_placed(day, days, WIDTH), 1), round(HEIGHT - _placed(value, values, HEIGHT), 1))
            for day, value in zip(days, values, strict=True)
        ]


def over_time(figures: Iterable[StoredFigure], language: Language) -> Markup:
    """The HTML of the concept's longest series; empty if no measure has enough values."""
    found = series_among(figures, language)
    if not found:
        return Markup("")
    shown = [
        (each, each.points(), [(period_text(figure.period, language), figure) for figure in each.figures])
        for each in found
    ]
    words = message("view.concept.over_time").to(language)
    return render("over_time", series=shown, title=words, width=WIDTH, height=HEIGHT, language=language)


def series_among(figures: Iterable[StoredFigure], language: Language) -> list[Series]:
    """The series with the most values: of one label, organisation, unit and length of period."""
    groups: dict[tuple[str, ...], dict[str, StoredFigure]] = {}
    for each in figures:
        if (length := _months(each.period)) is None:
            continue
        unit = (each.unit, each.currency, str(length))
        key = (each.entity, each.segment, *each.parents[-1:], each.measure or each.label.casefold(), *unit)
        groups.setdefault(key, {}).setdefault(each.period, each)
    series = [_series(list(each.values()), language) for each in groups.values() if len(each) >= LEAST]
    varied = [each for each in series if len({figure.value for figure in each.figures}) > 1]
    return sorted(varied, key=lambda each: -len(each.figures))[:MOST]


def _series(figures: list[StoredFigure], language: Language) -> Series:
    ordered = sorted(figures, key=lambda each: extent(each.period)[1])[-MOST_VALUES:]
    last = ordered[-1]
    title = " · ".join(dict.fromkeys(filter(None, (last.entity, last.segment, *last.parents[-1:], last.label))))
    scale = SCALES[last.scale].to(language) if last.scale in SCALES else ""
    same = len({each.scale for each in ordered}) == 1
    return Series(title, " ".join(filter(None, (last.currency, scale if same else "", last.unit))), ordered)


def _months(period: str) -> int | None:
    """The length of a period in months, 0 for a day; ``None`` for a key that names no period."""
    try:
        first, last = extent(period)
    except ValueError:
        return None
    return 0 if first == last else _between(first, last)


def _between(first: date, last: date) -> int:
    return (last.year - first.year) * 12 + last.month - first.month + 1


def _placed(value: float, among: Sequence[float], size: float) -> float:
    least, most = min(among), max(among)
    return EDGE + (size - 2 * EDGE) * ((value - least) / (most - least) if most > least else 0.5)
