"""Compares two figures: differences, shares and ratios of what a question names, with their cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.figures.numbers import MINUS, bracketed, decimals_of, natural, plain, sum_of, without_float_noise
from core.figures.tables.cell_values import Reading
from core.figures.tables.grid import Place
from core.figures.tables.result import Result, are_addable, reasons_of
from core.figures.tables.series import ChosenSeries, SeriesLookup, splits
from core.language.entities.periods import NamedPeriod
from core.language.vocabulary import pattern_of

Periods = Sequence[NamedPeriod | str]

_TOGETHER = 0.12
"""Score bonus for two figures from one column, or from one row."""
_LIKELIER = 0.05
_MOST_PAIRS = 4
_SIGNED = pattern_of("answering/tables.comparison.signed")


@dataclass(frozen=True)
class Term:
    """One side of a calculation: a single cell, or the sum or average of several; ``shown`` is how it was
    calculated."""

    value: float
    shown: str
    label: str
    places: tuple[Place, ...]
    unit: str | None
    scale: float
    currency: str | None
    period: str | None
    decimals: int


Work = Callable[[Term, Term, dict[str, float]], Result | None]


def term(reading: Reading) -> Term:
    """Returns one side of a calculation that consists of a single cell."""
    return Term(
        reading.value, plain(reading.value, reading.decimals), reading.label, (reading.place,), reading.unit,
        reading.scale, reading.currency, reading.period, reading.decimals,
    )  # fmt: skip


def minus(one: Term, other: Term, reasons: dict[str, float], what: str = "difference") -> Result:
    """Returns ``one`` minus ``other``, in the first one's unit."""
    decimals = max(one.decimals, other.decimals)
    result = without_float_noise(one.value - other.value)
    shown = max(decimals, decimals_of(result, 0, 2))
    return Result(
        "calculation", what, result, (*one.places, *other.places), _term_names(one, other), one.unit, one.scale,
        one.currency, one.period, f"{_fine(one, decimals)} {MINUS} {_in_brackets(other, decimals)} = "
        f"{plain(result, shown)}", shown, reasons,
    )  # fmt: skip


def percentage(one: Term, other: Term, reasons: dict[str, float], what: str = "percentage difference") -> Result | None:
    """Returns by how many per cent ``one`` is above ``other``."""
    if not other.value:
        return None
    decimals = max(one.decimals, other.decimals)
    result = without_float_noise((one.value - other.value) / other.value * 100)
    below = _in_brackets(other, decimals)
    calculation = f"({_fine(one, decimals)} {MINUS} {below}) ÷ {below} = {natural(result)} %"
    return Result(
        "calculation", what, result, (*one.places, *other.places), _term_names(one, other), "%",
        calculation=calculation, decimals=1, period=one.period, reasons=reasons,
    )  # fmt: skip


def _term_names(one: Term, other: Term) -> tuple[str, ...]:
    return (one.label, one.period or "", other.period or "", other.label)


def _difference(one: Term, other: Term, reasons: dict[str, float]) -> Result | None:
    larger, smaller = (one, other) if one.value >= other.value else (other, one)
    return minus(larger, smaller, reasons)


def _percentage(one: Term, other: Term, reasons: dict[str, float]) -> Result | None:
    result = _ratio(one, other, reasons)
    if result is None:
        return None
    one = _as_amount(one, other)
    percent = without_float_noise(one.value * one.scale / (other.value * other.scale) * 100)
    calculation = f"{result.calculation.split(' = ')[0]} = {natural(percent)} %"
    return replace(result, what="share", value=percent, unit="%", calculation=calculation, decimals=1)


def _ratio(one: Term, other: Term, reasons: dict[str, float]) -> Result | None:
    if not other.value:
        return None
    one = _as_amount(one, other)
    result = one.value * one.scale / (other.value * other.scale)
    calculation = f"{one.shown} ÷ {_in_brackets(other, other.decimals)} = {natural(result)}"
    fits = 1.0 if one.unit == other.unit else 0.5
    return Result(
        "calculation", "ratio", without_float_noise(result), (*one.places, *other.places), (one.label, other.label),
        period=one.period, calculation=calculation, decimals=2, reasons={**reasons, "alike": fits},
    )  # fmt: skip


def _as_amount(part: Term, whole: Term) -> Term:
    """Makes a deduction that is printed in brackets positive if it is used as a part of a total, unless it is a result
    such as a loss."""
    if part.value >= 0 or whole.value <= 0 or len(part.places) > 1 or _SIGNED.search(part.label):
        return part
    return replace(part, value=-part.value, shown=plain(-part.value, part.decimals))


def _fine(side: Term, decimals: int) -> str:
    """Formats a side that is a single cell, with as many decimals as the other side has."""
    return plain(side.value, decimals) if len(side.places) == 1 else side.shown


def _in_brackets(side: Term, decimals: int) -> str:
    return bracketed(side.value, decimals) if len(side.places) == 1 else side.shown


def _of_two(desk: SeriesLookup, work: Work) -> list[Result]:
    """Compares two figures of the same period; if there is a choice, both from the same column."""
    asked = desk.asked
    first, second = _compared_phrases(desk)
    sides: list[Periods] = [tuple(side or desk.periods) for side in asked.sides or ((), ())]
    ones, others = _candidate_sides(desk, first, second, sides[0]), _candidate_sides(desk, second, first, sides[1])
    pairs = sorted(
        (
            (_lowest_score(one) + _lowest_score(other) + _same_head_bonus(one[0], other[0]), one, other)
            for one in ones for other in others
            if one[0].series is not other[0].series or sides[0] != sides[1]
        ),
        key=lambda each: -each[0],
    )  # fmt: skip
    found: list[Result] = []
    for _, one, other in pairs[:_MOST_PAIRS]:
        terms = [side for picks, times in ((one, sides[0]), (other, sides[1])) if (side := _term(desk, picks, times))]
        if len(terms) == 2 and terms[0].places != terms[1].places:
            same = float((terms[0].unit, terms[0].scale) == (terms[1].unit, terms[1].scale))
            if result := work(terms[0], terms[1], reasons_of([*one, *other], alike=same)):
                found.append(result)
    return found


def _compared_phrases(desk: SeriesLookup) -> tuple[str, str]:
    """Returns the two sides that a phrase compares. It is split at the "and" that matches the table best, since names
    may also contain "and"."""
    first, second = desk.asked.phrases
    if desk.asked.operation != "difference":
        return first, second
    best, chosen = _likely(desk, first, second) + _LIKELIER, (first, second)
    for parts in splits(f"{first} and {second}"):
        if len(parts) == 2 and (score := _likely(desk, parts[0], parts[1])) > best:
            best, chosen = score, (parts[0], parts[1])
    return chosen


def _likely(desk: SeriesLookup, first: str, second: str) -> float:
    picks = [desk.picks(first)[:1], desk.picks(second)[:1]]
    return min(each[0].score for each in picks) if all(picks) else 0.0


def _candidate_sides(desk: SeriesLookup, phrase: str, beside: str, periods: Periods) -> list[list[ChosenSeries]]:
    """Returns the rows or columns that may be meant by one side: a single one or, preferably, all that the phrase
    lists."""
    listed = desk.several(phrase, periods)
    single = [[pick] for pick in desk.picks(phrase, beside, periods)]
    return [listed, *single] if len(listed) > 1 and desk.asked.operation in ("share", "ratio") else single


def _lowest_score(picks: Sequence[ChosenSeries]) -> float:
    return min(pick.score for pick in picks) + (_LIKELIER if len(picks) > 1 else 0.0)


def _same_head_bonus(one: ChosenSeries, other: ChosenSeries) -> float:
    return _TOGETHER * (one.series.head.own == other.series.head.own or one.series.row is other.series.row)


def _term(desk: SeriesLookup, picks: Sequence[ChosenSeries], periods: Periods) -> Term | None:
    """Returns one side: a cell, the sum of several things, or the average of one thing over the periods if
    requested."""
    if desk.asked.average:
        places = desk.places(picks[0].series, periods)
    else:
        places = [place for pick in picks if (place := desk.place(pick.series, periods))]
    readings = desk.readings(places)
    if not readings or not are_addable(readings) or any(reading.unit == "year" for reading in readings):
        return None
    if len(readings) == 1:
        return term(readings[0])
    decimals = max(reading.decimals for reading in readings)
    values = [reading.value for reading in readings]
    shown = f"({sum_of(values, decimals)})"
    value = sum(values)
    if desk.asked.average:
        value, shown = value / len(values), f"({shown} ÷ {len(values)})"
    labels = list(dict.fromkeys(reading.label for reading in readings))
    return replace(
        term(readings[0]), value=value, shown=shown, label=" + ".join(labels), decimals=decimals,
        places=tuple(reading.place for reading in readings),
    )  # fmt: skip


difference = partial(_of_two, work=_difference)
"""Returns the larger minus the smaller figure: the order in the question does not matter."""
percentage_difference = partial(_of_two, work=percentage)
share = partial(_of_two, work=_percentage)
ratio = partial(_of_two, work=_ratio)
