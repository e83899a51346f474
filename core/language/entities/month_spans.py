"""Finds ranges of whole months in one year: "January-June 2023", "6M 2023"; returns first and last month."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from core.language.entities.calendar_words import MONTH, MONTHS, YEAR, year_of
from core.language.entities.dates import BEGIN, END

_SHORT_YEAR = r"'\d\d"
_RANGE = rf"(?P<first>{MONTH})\.?\s?(?:[-\u2013\u2014/]|\bto\b|\bthrough\b|עד)\s?(?P<last>{MONTH})\.?"
_MONTHS_THEN_YEAR = re.compile(
    rf"{BEGIN}[בלמ]?-?{_RANGE}[\s,]{{1,2}}(?:of )?(?P<year>{YEAR}|{_SHORT_YEAR}){END}", re.IGNORECASE
)
_YEAR_THEN_MONTHS = re.compile(rf"{BEGIN}(?P<year>{YEAR})[\s,:]{{1,2}}{_RANGE}(?![^\W_])", re.IGNORECASE)
_WORDS = re.compile(
    rf"{BEGIN}(?<!last )(?P<count>three|six|nine|3|6|9)[\s-]months?,?\s(?:of\s|in\s)?(?P<year>{YEAR}){END}",
    re.IGNORECASE,
)
_COUNTS = {"three": 3, "six": 6, "nine": 9}
_COUNTED = re.compile(
    rf"{BEGIN}(?P<count>3|6|9|12)\s?M[\s/-]?(?P<year>{YEAR}|'?\d\d){END}|"
    rf"{BEGIN}(?P<year2>{YEAR})[\s/-]?(?P<count2>3|6|9|12)\s?M(?![^\W_])"
)
"""Matches "6M" only with a capital, since "6m" means millions or metres."""


@dataclass(frozen=True)
class MonthSpan:
    """A range of months, which count from 1; ``start`` to ``end`` is its position in the text."""

    year: int
    first: int
    last: int
    start: int
    end: int

    @property
    def months(self) -> int:
        return self.last - self.first + 1

    @property
    def last_day(self) -> date:
        return date(self.year, self.last, calendar.monthrange(self.year, self.last)[1])


def month_spans(text: str) -> Iterator[MonthSpan]:
    """Yields ranges in no particular order, without those that cross the end of a year."""
    for pattern in (_MONTHS_THEN_YEAR, _YEAR_THEN_MONTHS):
        for match in pattern.finditer(text):
            first, last = (MONTHS[match[part].lower().rstrip(".")] for part in ("first", "last"))
            if first < last:
                yield MonthSpan(year_of(match["year"]), first, last, *match.span())
    for match in _WORDS.finditer(text):
        count = match["count"].lower()
        yield MonthSpan(year_of(match["year"]), 1, _COUNTS.get(count) or int(count), *match.span())
    for match in _COUNTED.finditer(text):
        year = year_of(match["year"] or match["year2"])
        yield MonthSpan(year, 1, int(match["count"] or match["count2"]), *match.span())
