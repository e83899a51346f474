"""Parses periods in headings: "Three Months Ended June 30, 2023" → ``2023-Q2``, "June 30, 2018" → ``2018-06-30``."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.cache_sizes import WORDS
from core.language.entities.calendar_words import HEBREW_ORDINAL, ORDINAL, PART_NUMBERS, YEAR, year_of
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.entities.month_spans import month_spans
from core.language.entities.periods import lengths_in
from core.language.hebrew import THE
from core.language.note_marks import without_note_marks
from core.language.vocabulary import phrases

_phrase = phrases("library/tables.periods")

_DATES = DateReading((*DAYS, "month_year"), order="month first", years=YEAR)
_FOLLOWS = re.compile(rf"[^\d]{{1,30}}?({YEAR})\b")
"""Matches a date whose year is separated from it by other words: "June 30, (in millions) 2031"."""
_YEAR = re.compile(rf"(?<![\d.,$€£₪-])({YEAR})(?:[AEF](?=\b)|\b)(?![.,]\d|%)")
_SPACED_YEAR = re.compile(r"\b(2) (0) (\d) (\d)\b")
_QUARTER = re.compile(
    rf"\bQ([1-4])\b|\b([1-4])Q|\b({ORDINAL})[\s-]+(?:fiscal\s+)?quarter|{_phrase('quarter')} ({HEBREW_ORDINAL})",
    re.IGNORECASE,
)
_HALF = re.compile(
    rf"\bHY?([12])\b|\bH([12])(?=FY)|\b([12])HY?(?=\b|['’]?\d\d\b)|\b(first|second|1st|2nd)[\s-]half\b|"
    rf"\b(?:half[\s-]year(?:ly)?|HY)\b|(?:{_phrase('half')}) ({HEBREW_ORDINAL})",
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"(?:\bFY|\bHY|[QH][1-4]\s?(?:FY)?\s?|[1-4][QH]\s?)['’]?(\d\d)\b", re.I)
_FISCAL = re.compile(rf"\bfy\s?['’]?({YEAR}|\d\d)\b", re.I)
_WHOLE_YEAR = 12
_QUARTER_MONTHS = 3
_WEEK = 7
_PARTS = (3, 6, 9, _WHOLE_YEAR)
_WORDS = [
    (months, re.compile(pattern, re.IGNORECASE))
    for months, pattern in (
        (3, r"\bquarters?\b"),
        (6, r"\bhalf[\s-]years?\b"),
        (
            12,
            rf"\byears?[\s-]+end|^years?\b|\b(?:for|the) years?\b|\bannual\b|\bfiscal\b|{_phrase('year')}",
        ),
    )
]
"""Words that give a period's length without a number, such as "quarter"."""


@lru_cache(maxsize=WORDS)
def period_of(text: str) -> str | None:
    """The single period that a heading names: ``2022``, ``2022-Q2``, ``2022-H1``, ``2022-9M``, ``2022-06-30`` or
    ``None``.

    A period is named by the year in which it ends, and its quarter by the calendar.
    """
    line = _SPACED_YEAR.sub(r"\1\2\3\4", " ".join(without_note_marks(text).split()))
    if (span := _month_span(line)) is not None:
        return span
    length = _length(line)
    quarter = _quarter(line)
    half = _HALF.search(line)
    date = _last_date(line)
    year = _single_year(line)
    if date is not None:
        return _of_date(date, length)
    if year is None:
        return None
    if quarter:
        return f"{year}-Q{quarter}"
    if half:
        return f"{year}-H{_half_number(half)}"
    return f"{year}-{_part(length, None)}" if length in (6, 9) else str(year)


def span_key(day: str, months: int) -> str:
    """The key of this many months up to an ISO date: "2031-12-31" and 6 → "2031-H2"; a whole year is "2031"."""
    return _of_date((int(day[:4]), int(day[5:7]), int(day[8:10])), months)


def _month_span(line: str) -> str | None:
    """The key of "January-June 2023", if the line has only one such range."""
    found = {span_key(span.last_day.isoformat(), span.months) for span in month_spans(line)}
    return found.pop() if len(found) == 1 else None


def _half_number(found: re.Match[str]) -> int:
    """The number of the half year, 1 or 2; 1 if it has no number."""
    word = next(filter(None, found.groups()), "1").lower()
    return int(word) if word.isdigit() else PART_NUMBERS[word.removeprefix(THE) if word not in PART_NUMBERS else word]


def _length(line: str) -> int | None:
    """The length in months; if there are several, the last one, as with dates."""
    counted = [months for months in lengths_in(line) if months in _PARTS]
    if counted:
        return counted[-1]
    return next((months for months, pattern in _WORDS if pattern.search(line)), None)


def _quarter(line: str) -> int | None:
    found = _QUARTER.search(line)
    if not found:
        return None
    word = next(filter(None, found.groups())).lower().strip("'")
    return int(word) if word.isdigit() else PART_NUMBERS[word if word in PART_NUMBERS else word.removeprefix(THE)]


def _of_date(date: tuple[int, int, int | None], length: int | None) -> str:
    year, month, day = date
    if length is None:
        return f"{year}-{month:02d}-{day:02d}" if day else f"{year}-{month:02d}"
    if length == _QUARTER_MONTHS and day is not None and day <= _WEEK:
        # The thirteen weeks to July 1 are the second quarter, as are those to June 25 a year before.
        year, month = (year, month - 1) if month > 1 else (year - 1, _WHOLE_YEAR)
    return str(year) if length == _WHOLE_YEAR else f"{year}-{_part(length, month)}"


def _part(length: int | None, month: int | None) -> str:
    if length == 3 and month:
        return f"Q{(month + 2) // 3}"
    if length == 6:
        return f"H{1 if month is None or month <= 8 else 2}"
    return f"{length}M"


def _last_date(line: str) -> tuple[int, int, int | None] | None:
    """Returns (year, month, day) of the last date in the line, because periods are named by their end; full dates
    before months."""
    years = _YEAR.findall(line)
    found: list[tuple[bool, int, tuple[int, int, int | None]]] = []
    for span in dates_in(line, _DATES):
        day, follows = span.day, _FOLLOWS.match(line, span.end)
        year = day.year or (follows and int(follows[1])) or (int(years[-1]) if len(set(years)) == 1 else None)
        if year and day.month:
            found.append((day.day is not None, span.start, (year, day.month, day.day)))
    return max(found)[2] if found else None


def _single_year(line: str) -> int | None:
    """The year; ``None`` if the line has several, because a comparison is not a period."""
    found = {int(year) for year in _YEAR.findall(line)} | {year_of(year) for year in _FISCAL.findall(line)}
    found |= {year_of(year) for year in _SHORT_YEAR.findall(line)} if not found else set()
    return found.pop() if len(found) == 1 else None
