"""Finds the time periods in a question, and replaces each with a placeholder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from core.language.entities.calendar_words import PART_NUMBERS, SPLIT_YEAR, YEAR, years_in
from core.language.entities.dates import DateReading, dates_in
from core.language.entities.period_grammar import ONE_QUARTER
from core.language.entities.periods import NamedPeriod, periods_in
from core.language.normalisation import normalise
from core.question.rules import rules

SIGN = "⟦"
"""Start of the placeholder that replaces a period; a number follows it."""
MOST_PERIODS = 100
"""Maximum number of periods read from a question."""
_DAYS = DateReading(("month_day",), years=YEAR)
_JOINED = re.compile(r"(?:,? and| to| through|,)(?: the)? ", re.IGNORECASE)
_SIGN = re.compile(rf"{SIGN}(\d+)")


@dataclass(frozen=True)
class PeriodsAsked:
    """The periods of a question; ``text`` is the question with placeholders in place of the named periods; ``named``
    are these periods in text order.

    ``between`` are the periods inside a range, which are not in ``named``.

    ``spans``: all periods from the first to the last are requested; ``every``: all available periods ("over the three
    years"); ``before``: also the year before the named one.
    """

    text: str
    named: tuple[NamedPeriod, ...] = ()
    between: tuple[NamedPeriod, ...] = ()
    spans: bool = False
    every: bool = False
    before: bool = False

    def within(self, part: str) -> tuple[NamedPeriod, ...]:
        """Returns the periods whose placeholders are in ``part`` of the text."""
        return tuple(self.named[int(number)] for number in _SIGN.findall(part))

    def keys(self) -> tuple[str, ...]:
        """The periods' keys in text order, without duplicates."""
        return tuple(dict.fromkeys(each.key for each in self.named))


def periods_asked(question: str) -> PeriodsAsked:
    """Returns the periods that ``question`` names in any form."""
    text = _complete(normalise(question))
    split = {match.start(): match for match in SPLIT_YEAR.finditer(text)}
    found = [
        each
        for each in periods_in(text)[:MOST_PERIODS]
        if not any(match.start() < each.start < match.end() for match in split.values())
    ]
    named = [_with_end_year(each, split) for each in found]
    ends = [each for each in named if not _runs_through(each, named)]
    signed = _periods_masked(text, ends)
    every = bool(rules().all_periods.search(signed))
    before = bool(rules().before.search(signed))
    for pattern in (rules().all_periods, rules().before):
        signed = pattern.sub(" ", signed)
    return PeriodsAsked(
        " ".join(signed.split()),
        tuple(ends),
        tuple(each for each in named if each not in ends),
        len(ends) < len(named) or any(pattern.search(signed) for pattern in rules().span),
        every,
        before,
    )


def _complete(text: str) -> str:
    """Adds the year to days and quarters that share one with a later date: "June 30 and December 31, 2019"."""
    year = None
    for first, last in reversed(list(pairwise(dates_in(text, _DAYS)))):
        joined = _JOINED.fullmatch(text, first.end, last.start)
        year = (last.day.year or year) if joined else None
        if year and first.day.year is None:
            text = f"{text[: first.end]}, {year}{text[first.end :]}"
    return _quarters_apart(_quarters_with_year(text))


def _quarters_with_year(text: str) -> str:
    """Adds the year to several quarters if it is stated only once, apart from them: "the first quarter against the
    third quarter in 2031"."""
    years, quarters = set(years_in(text)), list(islice(ONE_QUARTER.finditer(text), MOST_PERIODS))
    if len(years) != 1 or len(quarters) < 2:
        return text
    of_quarters = [each for each in periods_in(text) if each.quarter]
    for match in reversed(quarters):
        is_told = any(each.start < match.end() and match.start() < each.end for each in of_quarters)
        if not is_told and match["quarter"].lower() not in PART_NUMBERS:
            text = f"{text[: match.end()]} of {min(years)}{text[match.end() :]}"
    return text


def _quarters_apart(text: str) -> str:
    """Writes joined quarters separately: "the first and third quarter of 2031"."""
    together: dict[tuple[int, int], list[NamedPeriod]] = {}
    for period in periods_in(text):
        if period.quarter:
            together.setdefault((period.start, period.end), []).append(period)
    for (start, end), quarters in reversed(together.items()):
        if len(quarters) > 1:
            names = (f"Q{each.quarter} {'fiscal ' if each.fiscal else ''}{each.year}" for each in quarters)
            text = f"{text[:start]}{' and '.join(names)}{text[end:]}"
    return text


def without_signs(text: str) -> str:
    return " ".join(_SIGN.sub(" ", text).split())


def _with_end_year(period: NamedPeriod, split: dict[int, re.Match[str]]) -> NamedPeriod:
    match = split.get(period.start)
    if match is None:
        return period
    year = period.year + 1
    return NamedPeriod(str(year), year, match.start(), match.end(), fiscal=True)


def _runs_through(period: NamedPeriod, named: Sequence[NamedPeriod]) -> bool:
    """Returns whether the period is only inside a range, and is not the start or end of one."""
    return any(
        period is not other and period.start <= other.start and other.end <= period.end and period.key != other.key
        for other in named
    )


def _periods_masked(text: str, periods: Sequence[NamedPeriod]) -> str:
    for number in reversed(range(len(periods))):
        period = periods[number]
        text = f"{text[: period.start]} {SIGN}{number} {text[period.end :]}"
    return " ".join(text.split())
