"""Reads and calculates figures from one table: values, changes, shares, sums and averages with their cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from core.figures.numbers import decimals_of, natural, plain, sum_of, without_float_noise
from core.figures.tables.cell_values import Reading
from core.figures.tables.comparison import difference, minus, percentage, percentage_difference, ratio, share, term
from core.figures.tables.grid import Place
from core.figures.tables.lookup import lookup_phrase, period_fit
from core.figures.tables.result import Result, are_addable, reasons_of
from core.figures.tables.series import ChosenSeries, SeriesLookup
from core.language.entities.periods import NamedPeriod
from core.language.total_labels import is_called_total
from core.language.vocabulary import pattern_of
from core.question.rules import Operation
from core.question.stems import stems

_SUB_PERIOD = 0.5
_OUTLAY = pattern_of("answering/tables.calculation.outlay")
"""Words for spending. Questions mean it as a positive amount, although cash flow statements print it in brackets."""
_NAMES_SECTION = 0.8
_TIED, _SPLIT = 0.02, 0.6


def value(desk: SeriesLookup) -> list[Result]:
    """Returns one or several named cells."""
    asked = desk.asked
    phrase = asked.phrases[0]
    periods = desk.periods
    if _is_sum(desk) and (added := total(desk)):
        return added
    if asked.total and not asked.each and len(periods) < 2 and (added := _of_parts(desk, phrase)):
        return added
    picks = desk.several(phrase, must=asked.each and len(periods) < 2)
    others = [[pick] for pick in desk.picks(phrase)[1:3]] if len(picks) == 1 else []
    read = ((chosen, _asked_places(desk, chosen, periods)) for chosen in (picks, *others))
    return [result for chosen, places in read if places and (result := _read_result(desk, chosen, places))]


def _of_parts(desk: SeriesLookup, phrase: str) -> list[Result]:
    """If no row is the named thing itself, returns the total of the rows for it: of the things that the phrase lists,
    or of the rows into which the table splits it."""
    whole = desk.picks(phrase)
    if not whole or whole[0].series.row.is_total:
        return []
    picks = desk.several(phrase, must=True)
    if len(picks) < 2 or min(pick.score for pick in picks) < whole[0].score:
        picks = [
            pick for pick in whole
            if pick.score >= whole[0].score - _TIED and pick.series.head.own == whole[0].series.head.own
            and not pick.series.row.is_total
        ]  # fmt: skip
        if whole[0].fit.covered < _SPLIT or any(pick.series.row.own == whole[0].series.row.own for pick in picks[1:]):
            return []
    places = [place for pick in picks for place in _asked_places(desk, [pick], desk.periods)]
    readings = desk.readings(places)
    if len(readings) < 2 or not are_addable(readings):
        return []
    return [_total((readings, reasons_of(picks, alike=1.0)))]


def _is_sum(desk: SeriesLookup) -> bool:
    """Returns whether to add figures up, as for "Total deposits in 2018 and 2019"; not if the row itself is called a
    total."""
    asked = desk.asked
    if not asked.total or asked.each or len(desk.periods) + 2 * asked.periods.every < 2:
        return False
    if asked.periods.spans or asked.periods.every:
        return True
    likely = desk.picks(asked.phrases[0])
    row = likely[0].series.row if likely else None
    return row is not None and bool(row.label) and not is_called_total(row.label)


def _asked_places(
    desk: SeriesLookup, picks: Sequence[ChosenSeries], periods: Sequence[NamedPeriod | str]
) -> list[Place]:
    """Returns the cells in the requested order: one row's cells by period, or one cell for each of several rows."""
    found: list[Place] = []
    for pick in picks:
        if periods:
            found += desk.places(pick.series, periods)
        elif desk.asked.periods.every:
            found += [pick.series.cells[key] for key in pick.series.periods]
        else:
            found.append(desk.newest(pick.series))
    return list(dict.fromkeys(found))


def _read_result(desk: SeriesLookup, picks: Sequence[ChosenSeries], places: Sequence[Place]) -> Result | None:
    readings = [desk.reading(place) for place in places]
    whole = reasons_of(picks, complete=min(1.0, len(places) / max(1, len(desk.periods) * len(picks))))
    figures = [each for each in readings if each is not None]
    if len(figures) < len(places):
        text = desk.sheet.cell(*places[0]).text
        if len(places) > 1 or not text:
            return None
        label = desk.sheet.rows[places[0][0]].label
        return Result("span", "text", text, tuple(places), (label,), reasons=whole)
    first = figures[0]
    outlay = all(pick.fit.by_field for pick in picks) and all(_OUTLAY.match(each.label) for each in figures)
    values = [abs(each.value) if outlay else each.value for each in figures]
    same = are_addable(figures)
    return Result(
        "figure", "value" if len(figures) == 1 else "values", values[0] if len(values) == 1 else values, tuple(places),
        tuple(each.label for each in figures), first.unit if same else None, first.scale if same else 1.0,
        first.currency, first.period if len(figures) == 1 else None, decimals=max(each.decimals for each in figures),
        reasons={**whole, "alike": float(same)},
    )  # fmt: skip


def change(desk: SeriesLookup, percent: bool = False) -> list[Result]:
    """Returns the later value minus the earlier one; with ``percent``, relative to the earlier one."""
    picks = desk.picks(desk.asked.phrases[0])[:3]
    return [result for pick in picks if (result := _change_result(desk, pick, percent))]


def _change_result(desk: SeriesLookup, pick: ChosenSeries, percent: bool) -> Result | None:
    pair = _two(desk, pick)
    if pair is None:
        return None
    before, after = pair
    reasons = reasons_of([pick], alike=float(are_addable(pair)))
    if percent:
        return percentage(term(after), term(before), reasons, "percentage change")
    result = minus(term(after), term(before), reasons, "change")
    if not isinstance(result.value, float) or result.value >= 0:
        return result
    if (desk.asked.apart and len(desk.periods) > 1) or (desk.asked.falling and not desk.asked.rising):
        return minus(term(before), term(after), reasons, "change")
    return result


def _two(desk: SeriesLookup, pick: ChosenSeries) -> tuple[Reading, Reading] | None:
    """Returns (earlier cell, later cell): those of the first and last requested period; if fewer than two are
    requested, that period (or the newest) and the one before."""
    series, periods = pick.series, desk.periods
    places = [desk.at(series, period) for period in periods]
    known = list(dict.fromkeys(place for place in places if place is not None))
    if len(known) < 2:
        keys = series.periods
        newest = next((key for key in keys if known and series.cells[key] == known[0]), None) if known else None
        start = keys.index(newest) if newest else 0
        if (known and newest is None) or len(periods) > 1 or len(keys) < start + 2:
            return None
        known = [series.cells[keys[start + 1]], series.cells[keys[start]]]
    readings = desk.readings(known)
    if len(readings) < 2:
        return None
    readings.sort(key=lambda each: each.period or "")
    return readings[0], readings[-1]


def average(desk: SeriesLookup) -> list[Result]:
    """Returns the average over several periods, or over several rows."""
    return [_mean(each) for each in _gathered(desk)]


def total(desk: SeriesLookup) -> list[Result]:
    return [_total(each) for each in _gathered(desk)]


def _gathered(desk: SeriesLookup) -> list[tuple[list[Reading], dict[str, float]]]:
    """Returns the figures to add up or average, with the features of their match."""
    phrase, periods = desk.asked.phrases[0], desk.periods
    picks = desk.several(phrase, must=len(periods) == 1)
    choices = [picks] if len(picks) > 1 else [[pick] for pick in desk.picks(phrase)[:2]]
    found: list[tuple[list[Reading], dict[str, float]]] = []
    for chosen in choices:
        places = [place for pick in chosen for place in _series_places(desk, pick, periods)]
        readings = desk.readings(dict.fromkeys(places))
        if len(readings) > 1:
            found.append((readings, reasons_of(chosen, alike=float(are_addable(readings)))))
    return found or _of_a_section(desk, phrase) or _of_a_column(desk, phrase)


def _of_a_section(desk: SeriesLookup, phrase: str) -> list[tuple[list[Reading], dict[str, float]]]:
    """Returns the rows under the heading that the phrase names, in the amounts column."""
    wish = lookup_phrase(phrase, desk.sheet, "", desk.question.entities)
    for heading in dict.fromkeys(row.parents[-1] for row in desk.sheet.rows if row.parents):
        own = set(stems(heading))
        there = wish.share_among(own)
        if own and there >= _NAMES_SECTION:
            rows = [row.index for row in desk.sheet.rows if row.parents[-1:] == (heading,) and not row.is_total]
            return _columnar(desk, rows, there)
    return []


def _of_a_column(desk: SeriesLookup, phrase: str) -> list[tuple[list[Reading], dict[str, float]]]:
    """If the phrase names a column and no row, returns all figures of that column: people's ages, prices by quarter."""
    picks = desk.picks(phrase)
    if not picks or set(picks[0].series.row.own) & set(stems(phrase)):
        return []
    head, periods = picks[0].series.head, desk.periods
    rows = [
        series.row.index
        for series in desk.sheet.series
        if series.head.own == head.own and not series.row.is_total
        if not periods or desk.timed(series, periods[:1]) >= _SUB_PERIOD
    ]
    return _columnar(desk, rows, picks[0].score, head.own)


def _columnar(
    desk: SeriesLookup, rows: Sequence[int], match: float, head: tuple[str, ...] | None = None
) -> list[tuple[list[Reading], dict[str, float]]]:
    """Returns the figures of these rows in one column: the one with the heading ``head``, or else the first one with
    the most figures."""
    found: list[Reading] = []
    for column in reversed(desk.sheet.columns):
        if head is not None and column.own != head:
            continue
        places = [(row, column.index) for row in dict.fromkeys(rows)]
        timed = [place for place in places if _is_of_period(desk, place)]
        readings = desk.readings(timed)
        if len(readings) > 1 and len(readings) >= len(found):
            found = readings
    return [(found, {"match": match, "covered": match, "timed": 1.0})] if len(found) > 1 else []


def _is_of_period(desk: SeriesLookup, place: Place) -> bool:
    period = desk.sheet.period(*place)
    return not desk.periods or period is None or period_fit(desk.periods[0], period) >= _SUB_PERIOD


def _series_places(desk: SeriesLookup, pick: ChosenSeries, periods: Sequence[NamedPeriod | str]) -> list[Place]:
    """Returns the cells of a row or column in all requested periods: those named, those between two named ones, or
    all."""
    series = pick.series
    found = desk.places(series, periods)
    if desk.asked.periods.spans and len(periods) > 1:
        keys = sorted(key for key, place in series.cells.items() if key and place in found)
        return [series.cells[key] for key in series.periods if keys and keys[0] <= key <= keys[-1]] or found
    if len(found) < 2 and len(periods) == 1:
        parts = [key for key in series.periods if period_fit(periods[0], key) >= _SUB_PERIOD]
        return [series.cells[key] for key in parts] or found
    return found


def _mean(gathered: tuple[list[Reading], dict[str, float]]) -> Result:
    readings = gathered[0]
    added = _total(gathered)
    result = without_float_noise(sum(each.value for each in readings) / len(readings))
    decimals = added.decimals
    calculation = f"({added.calculation.split(' = ')[0]}) ÷ {len(readings)} = {natural(result, max(2, decimals))}"
    return replace(
        added,
        what="average",
        value=result,
        calculation=calculation,
        decimals=decimals_of(result, decimals, decimals + 2),
    )


def _total(gathered: tuple[list[Reading], dict[str, float]]) -> Result:
    readings, reasons = gathered
    first = readings[0]
    decimals = max(each.decimals for each in readings)
    values = [each.value for each in readings]
    result = without_float_noise(sum(values))
    return Result(
        "calculation", "sum", result, tuple(each.place for each in readings),
        tuple(dict.fromkeys(each.label for each in readings)), first.unit, first.scale, first.currency,
        calculation=f"{sum_of(values, decimals)} = {plain(result, decimals)}", decimals=decimals, reasons=reasons,
    )  # fmt: skip


WORK: dict[Operation, Callable[[SeriesLookup], list[Result]]] = {
    "value": value, "change": change, "percentage change": partial(change, percent=True), "difference": difference,
    "percentage difference": percentage_difference, "share": share, "ratio": ratio, "average": average, "sum": total,
}  # fmt: skip
