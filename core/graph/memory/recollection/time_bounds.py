"""Finds the time of talking that a question names: "yesterday", "last week", "on Monday", "in March"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache

from core.language.entities.calendar_words import FULL_MONTH, MONTHS, WEEKDAY, WEEKDAYS, YEAR
from core.language.entities.dates import dates_in
from core.language.vocabulary import Entry, file_of, pattern_of, phrase_of

Span = tuple[date, date]

_KEY = "graph/recollection"


class _Ago(Entry):
    counts: dict[str, int]
    units: dict[str, int]


_ago_words = file_of("graph/recollection_times", _Ago)


@dataclass(frozen=True)
class TimeBounds:
    """The days from ``first`` to ``last``, both included; ``start`` and ``end`` are the place of the words in the
    text."""

    first: date
    last: date
    start: int
    end: int

    def holds(self, at: float) -> bool:
        """Returns whether a time (epoch seconds) is on one of the days, in the time zone of this machine."""
        return self.first <= datetime.fromtimestamp(at).date() <= self.last


def time_bounds(folded: str, today: date) -> TimeBounds | None:
    """Returns the time of talking that a folded question names, or ``None``.

    >>> found = time_bounds("what did we discuss last week?", date(2025, 4, 30))
    >>> str(found.first), str(found.last)
    ('2025-04-20', '2025-04-27')
    """
    for name, pattern in _patterns().items():
        if match := pattern.search(folded):
            return TimeBounds(*_RELATIVE[name](today), *match.span())
    return _ago(folded, today) or _weekday(folded, today) or _named_date(folded, today) or _month(folded, today)


def _week(day: date) -> Span:
    """Returns the week from the Sunday before a Monday to the Sunday after it, since a week begins on either."""
    monday = day - timedelta(days=day.weekday())
    return monday - timedelta(days=1), monday + timedelta(days=6)


def _month_of(day: date) -> Span:
    first = day.replace(day=1)
    return first, (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


def _day(days: int) -> Callable[[date], Span]:
    return lambda today: (today - timedelta(days=days), today - timedelta(days=days))


_RELATIVE: dict[str, Callable[[date], Span]] = {
    "day_before": _day(2),
    "yesterday": _day(1),
    "today": _day(0),
    "this_week": _week,
    "last_week": lambda today: _week(today - timedelta(days=7)),
    "this_month": _month_of,
    "last_month": lambda today: _month_of(today.replace(day=1) - timedelta(days=1)),
    "last_year": lambda today: (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
}


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: pattern_of(f"{_KEY}.times.{name}") for name in _RELATIVE}


def _ago(folded: str, today: date) -> TimeBounds | None:
    match = pattern_of(f"{_KEY}.ago").search(folded)
    if match is None:
        return None
    words, groups = _ago_words(), match.groupdict()
    unit = groups["unit"] or groups["unit_he"]
    count = groups["count"] or groups["count_he"] or unit
    number = int(count) if count.isdigit() else words.counts.get(count, 1)
    size = words.units[unit]
    day = today - timedelta(days=number * size)
    # "Two weeks ago" is seldom meant to the day.
    slack = timedelta(days=size // 2)
    return TimeBounds(day - slack, min(day + slack, today), *match.span())


@cache
def _weekday_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{phrase_of(f'{_KEY}.before_day')})(?P<day>{WEEKDAY})(?![^\W_])", re.IGNORECASE)


def _weekday(folded: str, today: date) -> TimeBounds | None:
    """Returns the last day of that name before today."""
    match = _weekday_pattern().search(folded)
    if match is None:
        return None
    number = (WEEKDAYS[match["day"].lower()] - 2) % 7
    day = today - timedelta(days=(today.weekday() - number - 1) % 7 + 1)
    return TimeBounds(day, day, *match.span())


@cache
def _before_date() -> re.Pattern[str]:
    return re.compile(rf"(?:{phrase_of(f'{_KEY}.before_day')})$", re.IGNORECASE)


def _named_date(folded: str, today: date) -> TimeBounds | None:
    for span in dates_in(folded):
        before = _before_date().search(folded[: span.start])
        if before is None or span.day.month is None or span.day.day is None:
            continue
        year = span.day.year or today.year
        try:
            day = date(year, span.day.month, span.day.day)
        except ValueError:
            continue
        if span.day.year is None and day > today:
            day = day.replace(year=year - 1)
        return TimeBounds(day, day, before.start(), span.end)
    return None


@cache
def _month_pattern() -> re.Pattern[str]:
    year = rf"(?: (?P<year>{YEAR}))?"
    return re.compile(
        rf"(?<![^\W_])(?:{phrase_of(f'{_KEY}.before_month')})(?P<month>{FULL_MONTH}){year}(?![^\W_])", re.IGNORECASE
    )


def _month(folded: str, today: date) -> TimeBounds | None:
    """Returns the last month of that name that has begun."""
    match = _month_pattern().search(folded)
    if match is None:
        return None
    month = MONTHS[match["month"].lower()]
    year = int(match["year"]) if match["year"] else today.year - (month > today.month)
    return TimeBounds(*_month_of(date(year, month, 1)), *match.span())
