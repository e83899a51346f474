"""Assigns periods to the figures of a sentence; if it says "respectively", figures and periods are matched in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.prose.values import Value
from core.language.vocabulary import phrase_of

_FIGURES = ("amount", "percent", "count", "duration")
_BETWEEN = re.compile(phrase_of("answering/prose.pairing.between"))
_NEAR = 90
"""Maximum characters between a figure and a date that belongs to it."""


def periods_of(text: str, values: Sequence[Value]) -> dict[int, str]:
    """Maps each figure's index in ``values`` to its period's key, if the sentence states it."""
    figures = [index for index, value in enumerate(values) if value.kind in _FIGURES]
    dates = [index for index, value in enumerate(values) if value.kind == "date" and value.key]
    if not figures or not dates:
        return {}
    found: dict[int, str] = {}
    date_runs = _enumerations(text, values, dates)
    for run in _enumerations(text, values, figures):
        if len(run) > 1:
            matching = [dated for dated in date_runs if len(dated) == len(run)]
            if matching:
                nearest = min(matching, key=lambda dated: abs(values[run[0]].start - values[dated[0]].start))
                found.update((figure, values[date].key or "") for figure, date in zip(run, nearest, strict=True))
                continue
        for figure in run:
            if key := _nearest(text, values, figure, dates):
                found[figure] = key
    return found


def _enumerations(text: str, values: Sequence[Value], places: Sequence[int]) -> list[list[int]]:
    """Returns runs of values of one kind that are separated only by commas and "and"."""
    runs: list[list[int]] = []
    for place in places:
        last = runs[-1][-1] if runs else None
        if (
            last is not None
            and values[last].kind == values[place].kind
            and _BETWEEN.match(text[values[last].end : values[place].start])
        ):
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def runs_of_figures(text: str, values: Sequence[Value]) -> list[list[int]]:
    """Returns sequences of at least two figures of one kind."""
    figures = [index for index, value in enumerate(values) if value.kind in _FIGURES]
    return [run for run in _enumerations(text, values, figures) if len(run) > 1]


def _nearest(text: str, values: Sequence[Value], figure: int, dates: Sequence[int]) -> str | None:
    if len({(values[date].key or "")[:4] for date in dates}) == 1:
        return values[dates[0]].key
    best: tuple[float, str | None] = (float(_NEAR), None)
    for date in dates:
        first, second = sorted((values[figure], values[date]), key=lambda value: value.start)
        between = text[first.end : second.start]
        # A date after a figure ("$5 in 2019") is more likely to belong to it than one before; one in another clause is
        # less likely.
        cost = len(between) * (1.0 if second is values[date] else 1.3) + 30 * len(re.findall(r"[;]|, (?!\d)", between))
        others = [v for v in values if v.kind == values[figure].kind and first.end <= v.start < second.start]
        cost += 25 * len(others)
        if cost < best[0]:
            best = (cost, values[date].key)
    return best[1]
