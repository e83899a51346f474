"""Counts and chooses in one table: answers how many, which years, which rows, which is the largest, and yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import ge, gt, le, lt

from core.figures.tables.cell_values import Reading
from core.figures.tables.counted_things import counted_things, names_rows
from core.figures.tables.first_line import MOST_NAMED, clean_label, listed
from core.figures.tables.grid import Line, Place, Series
from core.figures.tables.lookup import lookup_phrase, series_fits
from core.figures.tables.result import Result, reasons_of
from core.figures.tables.series import ChosenSeries, SeriesLookup
from core.language.vocabulary import pattern_of
from core.question.operation import Bound
from core.question.rules import Operation, Relation
from core.question.stems import stems, weak_stems

_COMPARE: dict[Relation, Callable[[float, float], bool]] = {"more": gt, "less": lt, "at least": ge, "at most": le}
_LEAST_SECTION = 0.5
_MOST_PICKS = 4
_NAMES_ROW = 0.6
_SAME_OFFICE = 0.6
_GAIN = pattern_of("answering/tables.counting.gain")
_SUM = re.compile(r"^\W*(?:net|gross|total|sub-?total)\b", re.IGNORECASE)


def which_period(desk: SeriesLookup) -> list[Result]:
    """Returns the period with the largest or smallest value, or the periods whose values exceed a bound."""
    found: list[Result] = []
    for pick in desk.picks(desk.asked.phrases[0])[:_MOST_PICKS]:
        readings = _by_period(desk, pick.series)
        if len(readings) < 2:
            continue
        reasons = reasons_of([pick])
        if bound := desk.asked.bound:
            within = [each for each in readings if _meets_bound(each, bound)]
            if within:
                names = [_period_name(desk, each.place) for each in within]
                found.append(
                    Result(
                        "date", "periods within", names if len(names) > 1 else names[0],
                        tuple(each.place for each in within), (readings[0].label,), reasons=reasons,
                    )
                )  # fmt: skip
            continue
        best = _extreme(desk, readings)
        found.append(
            Result(
                "date", desk.asked.extreme or "largest", _period_name(desk, best.place),
                (best.place, *(each.place for each in readings if each is not best)), (best.label,),
                best.unit, best.scale, best.currency, best.period, _ordered(best, readings), best.decimals, reasons,
            )
        )  # fmt: skip
    return found


def count_periods(desk: SeriesLookup) -> list[Result]:
    found: list[Result] = []
    bound = desk.asked.bound
    for pick in desk.picks(desk.asked.phrases[0])[:2]:
        readings = _by_period(desk, pick.series)
        if bound is None or not readings:
            continue
        within = [each for each in readings if _meets_bound(each, bound)]
        names = listed([_period_name(desk, each.place) for each in within], desk.question.language)
        found.append(
            Result(
                "count", "count", float(len(within)), tuple(each.place for each in within or readings),
                (readings[0].label, names), calculation=names, reasons=reasons_of([pick]),
            )
        )  # fmt: skip
    return found


def periods(desk: SeriesLookup) -> list[Result]:
    """Returns the periods for which the table has the requested figure."""
    picks = desk.picks(desk.asked.phrases[0], periods=())
    best = picks[0] if picks else None
    series = best.series if best and len(best.series.periods) > 1 else None
    if series is None:
        series = max(desk.sheet.series, key=lambda each: len(each.periods), default=None)
    if series is None or not series.periods:
        return []
    places = [series.cells[key] for key in _as_printed(series)]
    names = list(dict.fromkeys(_period_name(desk, place) for place in places))
    reasons = reasons_of([best] if best else [], listed=1.0)
    value = names if len(names) > 1 else names[0]
    return [Result("date", "periods", value, tuple(places), (series.row.label,), reasons=reasons)]


def _as_printed(series: Series) -> list[str]:
    return [key for key, _ in sorted(series.cells.items(), key=lambda each: each[1]) if key]


def parts(desk: SeriesLookup) -> list[Result]:
    """Returns the rows under a heading, or above a total."""
    section = _section(desk)
    if section is None:
        return []
    lines, heading, match = section
    if bound := desk.asked.bound:
        lines = [line for line in lines if (reading := _figure(desk, line)) and _meets_bound(reading, bound)]
    names = list(dict.fromkeys(clean_label(line.label) for line in lines))
    if not names:
        return []
    return [
        Result(
            "spans", "parts", names, tuple(_first_place(desk, line) for line in lines), (heading,),
            reasons={"match": match, "covered": match, "listed": 1.0},
        )
    ]  # fmt: skip


def count_parts(desk: SeriesLookup) -> list[Result]:
    """Returns the number of rows of the requested kind."""
    from core.figures.tables.calculation import total, value

    counted = counted_things(desk, lambda each: value(each) or total(each))
    if counted is not None:
        return counted
    if not names_rows(desk):
        return []
    found = parts(desk)
    if not found:
        return []
    result = found[0]
    names = result.value if isinstance(result.value, list) else [result.value]
    shown = listed([str(name) for name in names], desk.question.language)
    named = (result.names[0], shown)
    return [replace(result, kind="count", what="count", value=float(len(names)), names=named, calculation=shown)]


def _section(desk: SeriesLookup) -> tuple[list[Line], str, float] | None:
    """Returns (rows, heading, how well the heading matches): the rows under a heading, or all rows of a table that has
    a total."""
    asked = desk.asked
    phrase = asked.phrases[0]
    headings = {parent for row in desk.sheet.rows for parent in row.parents}
    wish = lookup_phrase(phrase if stems(phrase) else asked.what, desk.sheet)
    best: tuple[float, str] = (0.0, "")
    for heading in headings:
        own = set(lookup_phrase(heading, desk.sheet).words)
        covered = sum(word in wish.words for word in own) / (len(own) or 1)
        best = max(best, (wish.share_among(own) * (0.5 + 0.5 * covered), heading))
    if best[0] >= _LEAST_SECTION and (lines := _rows_under(desk, best[1])):
        return lines, best[1], best[0]
    return _above_total(desk, phrase)


def _rows_under(desk: SeriesLookup, heading: str) -> list[Line]:
    """Returns the rows under a heading up to its total, or to the next heading if there is no total."""
    rows = desk.sheet.rows
    start = next(
        (row.index for row in rows if row.label.strip(" :") == heading.strip(" :") and not row.has_figures), -1
    )
    of_it = set(stems(heading))
    lines: list[Line] = []
    for row in rows[start + 1 :]:
        if not row.has_figures and row.label:
            break
        is_sum = row.is_total or (bool(_SUM.match(row.label)) and len(of_it & set(row.own)) >= min(2, len(of_it)))
        if is_sum and lines:
            break
        if not is_sum and row.label:
            lines.append(row)
    return lines


def _above_total(desk: SeriesLookup, phrase: str) -> tuple[list[Line], str, float] | None:
    """Returns the rows whose sum is the named total: those between it and the total before it."""
    wish = lookup_phrase(phrase, desk.sheet)
    rows = desk.sheet.rows
    ranked = series_fits(desk.sheet, wish)
    if ranked and ranked[0].covered >= 0.8 and ranked[0].series.row.is_total:
        end = ranked[0].series.row.index
        start = max((row.index + 1 for row in rows[:end] if row.is_total or not row.has_figures), default=0)
        if lines := [row for row in rows[start:end] if _is_part(row)]:
            return lines, rows[end].label, ranked[0].covered * 0.8
    lines = [row for row in rows if _is_part(row)]
    return (lines, "", 0.35 + 0.3 * wish.share_among(desk.sheet.context)) if lines else None


def _is_part(row: Line) -> bool:
    return bool(row.label) and bool(row.own) and row.has_figures and not row.is_total


def which_part(desk: SeriesLookup) -> list[Result]:
    """Returns the row, or the column, with the largest or smallest value."""
    asked = desk.asked
    phrase = asked.phrases[0]
    picks = desk.picks(phrase) if phrase else []
    across = _matching_columns(desk, picks[0], phrase) if picks else []
    down = _down(desk, phrase, picks) if not picks or not _names_a_row(picks[0], phrase, desk) else []
    choices = across or down
    readings = [(line, reading) for line, place in choices if (reading := desk.reading(place))]
    if len(readings) < 2:
        return []
    figures = [reading for _, reading in readings]
    ordered = sorted(readings, key=lambda each: _size(each[1], figures), reverse=asked.extreme != "smallest")
    line, best = ordered[0]
    gap = abs(ordered[0][1].value - ordered[1][1].value) > 0
    return [
        Result(
            "span", f"{asked.extreme or 'largest'} part", line.label,
            (best.place, *(reading.place for _, reading in ordered[1:])), (phrase,), best.unit, best.scale,
            best.currency, best.period, _ordered(best, [reading for _, reading in ordered]), best.decimals,
            reasons_of(picks[:1], gap=float(gap)),
        )
    ]  # fmt: skip


def _names_a_row(pick: ChosenSeries, phrase: str, desk: SeriesLookup, totals: bool = False) -> bool:
    """Returns whether the phrase is the name of a row; then the row's columns are compared with each other, and not the
    rows."""
    wish = lookup_phrase(phrase, desk.sheet)
    row = pick.series.row
    return wish.share_among(row.own) >= _NAMES_ROW and (totals or not row.is_total)


def _matching_columns(desk: SeriesLookup, pick: ChosenSeries, phrase: str) -> list[tuple[Line, Place]]:
    """Returns those columns of the row that the phrase names, if the columns are things and not periods."""
    row = pick.series.row
    if desk.sheet.columns[0].period or not row.own or not _names_a_row(pick, phrase, desk, totals=True):
        return []
    heads = [column for column in desk.sheet.columns if column.own and not column.is_total]
    return [(head, (row.index, head.index)) for head in heads]


def _down(desk: SeriesLookup, phrase: str, picks: Sequence[ChosenSeries]) -> list[tuple[Line, Place]]:
    """Returns the rows that are not totals, in the column that the phrase names."""
    head = picks[0].series.head if picks else None
    parts = [each for each in desk.sheet.series if _is_part(each.row) and (head is None or each.head.own == head.own)]
    return [(each.row, place) for each in parts if (place := desk.place(each, desk.periods))]


def comparison(desk: SeriesLookup) -> list[Result]:
    """Returns which of two figures is larger or smaller."""
    asked = desk.asked
    picks = [
        desk.picks(phrase, other)[:1] for phrase, other in zip(asked.phrases, reversed(asked.phrases), strict=True)
    ]
    if not all(picks) or picks[0][0].series is picks[1][0].series:
        return []
    chosen = [each[0] for each in picks]
    readings = desk.readings(desk.place(pick.series, desk.periods) for pick in chosen)
    if len(readings) < 2:
        return []
    best = _extreme(desk, readings)
    asked_phrase = asked.phrases[readings.index(best)]
    return [
        Result(
            "choice", f"{asked.extreme or 'largest'} of two", asked_phrase,
            (best.place, *(each.place for each in readings if each is not best)), asked.phrases, best.unit, best.scale,
            best.currency, best.period, _ordered(best, readings), best.decimals, reasons_of(chosen),
        )
    ]  # fmt: skip


def trend(desk: SeriesLookup) -> list[Result]:
    """Returns whether a figure rose or fell as the question says."""
    from core.figures.tables.calculation import change

    found: list[Result] = []
    for result in change(desk)[:1]:
        if not isinstance(result.value, float):
            continue
        went_up, asks_up = result.value > 0, desk.asked.rising
        answer = "yes" if (went_up and asks_up) or (result.value < 0 and not asks_up) else "no"
        found.append(replace(result, kind="choice", what="trend", value=answer))
    return found


def who(desk: SeriesLookup) -> list[Result]:
    """Returns the row for a person, if text in another column (an office, a place) matches the description in the
    question."""
    words = set(stems(desk.asked.phrases[0])) - weak_stems()
    found: list[tuple[float, Place]] = []
    for row in desk.sheet.rows:
        for column in desk.sheet.columns:
            cell = desk.sheet.cell(row.index, column.index)
            cell_words = set(stems(cell.text)) if cell.kind == "text" and row.label else set()
            shared = len(words & cell_words)
            if shared:
                found.append((2 * shared / (len(words) + len(cell_words)), (row.index, column.index)))
    found.sort(key=lambda each: -each[0])
    if not found or found[0][0] < _SAME_OFFICE:
        return []
    match, place = found[0]
    margin = match - (found[1][0] if len(found) > 1 else 0.0)
    name = clean_label(desk.sheet.rows[place[0]].label)
    reasons = {"match": match, "covered": match, "explained": match, "margin": margin, "timed": 1.0, "listed": 0.0}
    return [Result("span", "who", name, (place,), (desk.sheet.cell(*place).text,), reasons=reasons)]


def _by_period(desk: SeriesLookup, series: Series) -> list[Reading]:
    """Returns the figures in printed order; if the question names several periods, only those for them."""
    wanted_keys = [desk.at(series, period) for period in desk.periods] if len(desk.periods) > 1 else []
    places = [series.cells[key] for key in _as_printed(series)]
    kept = [place for place in places if place in wanted_keys] or places
    return desk.readings(kept)


def _meets_bound(reading: Reading, bound: Bound) -> bool:
    is_whole = bound.scaled or abs(bound.value) >= 1e3 * reading.scale > 1e3
    return _COMPARE[bound.relation](reading.value * (reading.scale if is_whole else 1.0), bound.value)


def _extreme(desk: SeriesLookup, readings: Sequence[Reading]) -> Reading:
    return sorted(readings, key=lambda each: _size(each, readings), reverse=desk.asked.extreme != "smallest")[0]


def _size(reading: Reading, beside: Sequence[Reading]) -> float:
    """Returns the value to compare by; for costs and losses that are all negative, without its sign."""
    negative = all(each.value <= 0 for each in beside) and not _GAIN.search(reading.label)
    return abs(reading.value) * reading.scale if negative else reading.value * reading.scale


def _ordered(best: Reading, readings: Sequence[Reading]) -> str:
    """Formats the comparison as ``1,496.5 > 1,202.9 > 1,107.7``."""
    ordered = sorted(readings, key=lambda each: each.value, reverse=best.value >= max(each.value for each in readings))
    sign = ">" if ordered[0].value >= ordered[-1].value else "<"
    shown = f" {sign} ".join(each.text for each in ordered[:MOST_NAMED])
    return shown if len(ordered) <= MOST_NAMED else f"{shown} {sign} …"


def _period_name(desk: SeriesLookup, place: Place) -> str:
    """Returns the year of a full year or of a day in everyday form; a quarter or a half by its name."""
    period = desk.sheet.period(*place) or ""
    return period if "Q" in period or "H" in period else period[:4]


def _figure(desk: SeriesLookup, line: Line) -> Reading | None:
    series = desk.sheet.of_row.get(line.index)
    return desk.reading(desk.place(series[0], desk.periods)) if series else None


def _first_place(desk: SeriesLookup, line: Line) -> Place:
    cells = (place for series in desk.sheet.of_row.get(line.index, ()) for place in series.cells.values())
    return next((place for place in cells if place[0] == line.index), (line.index, 0))


CHOOSE: dict[Operation, Callable[[SeriesLookup], list[Result]]] = {
    "which period": which_period, "count periods": count_periods, "periods": periods, "parts": parts,
    "count parts": count_parts, "which part": which_part, "comparison": comparison, "trend": trend, "who": who,
}  # fmt: skip
