"""Reads the time that a figure covers: the last day from its heading if it names one, and the length."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from core.figures.stored.records import StoredFigure
from core.language.entities.dates import DAYS, DateReading, Day, dates_in
from core.language.entities.periods import extent

WEEK = 7
"""Days by which periods that end on a fixed weekday may differ."""
QUARTER = range(80, 101)
"""The lengths of a quarter in days."""
YEAR = range(350, 380)
"""The lengths of a year in days."""
MONTHS_OF_YEAR = 12
DAYS_OF_MONTH = 30.4
_IN_HEADING = DateReading(DAYS, needs_year=True)


@lru_cache(maxsize=8_192)
def _span(period: str, header: str) -> tuple[date, int] | None:
    try:
        first, last = extent(period)
    except ValueError:
        return None
    printed = _printed_days(header)
    return (printed[-1] if printed else last), (last - first).days


def _printed_days(header: str) -> list[date]:
    return [day for found in dates_in(header, _IN_HEADING) if (day := _calendar_day(found.day)) is not None]


def prints_day(figure: StoredFigure) -> bool:
    """Returns whether the heading names the last day."""
    return bool(_printed_days(figure.header))


def _calendar_day(found: Day) -> date | None:
    if found.year is None or found.month is None or found.day is None:
        return None
    try:
        return date(found.year, found.month, found.day)
    except ValueError:
        return None


def has_span(figure: StoredFigure) -> bool:
    return _span(figure.period, figure.header) is not None


def end_of(figure: StoredFigure) -> date:
    """Returns the last day, from the heading if it prints one: fiscal quarters end on other days than their key says.

    Raises:
        ValueError: the figure has no period.
    """
    return _known(figure)[0]


def days_of(figure: StoredFigure) -> int:
    """Returns the length in days; 0 for a balance on a day."""
    return _known(figure)[1]


def _known(figure: StoredFigure) -> tuple[date, int]:
    found = _span(figure.period, figure.header)
    if found is None:
        raise ValueError(f"the figure {figure.label!r} has no period")
    return found


def lasts(figure: StoredFigure, months: int) -> bool:
    """Returns whether the figure covers about that many months."""
    return is_length(days_of(figure), months)


def is_length(days: int, months: int) -> bool:
    """Returns whether ``days`` are about that many months: a year has 52 or 53 weeks or 12 months."""
    return days in YEAR if months == MONTHS_OF_YEAR else abs(days - months * DAYS_OF_MONTH) <= 1.5 * WEEK


def is_year(figure: StoredFigure) -> bool:
    return days_of(figure) in YEAR


def is_quarter(figure: StoredFigure) -> bool:
    return days_of(figure) in QUARTER


def ends_with(one: StoredFigure, other: StoredFigure) -> bool:
    """Returns whether both end on the same day, a week apart at most."""
    return abs((end_of(one) - end_of(other)).days) <= WEEK


def is_as_long(one: StoredFigure, other: StoredFigure) -> bool:
    return abs(days_of(one) - days_of(other)) <= WEEK


def is_year_before(one: StoredFigure, other: StoredFigure) -> bool:
    """Returns whether ``one`` ends a year before ``other`` and is as long."""
    return is_as_long(one, other) and abs((end_of(other) - end_of(one)).days - 365) <= WEEK
