"""Finds dates in English and Hebrew text; returns each as a :class:`DateSpan` with its (perhaps partial) :class:`Day`.

All parsers of dates share one grammar and configure it with a :class:`DateReading`. Periods ("second quarter of 2021",
"three months ended June 30") are built on it in ``periods``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from core.language.entities.calendar_words import (
    DOUBTFUL,
    LEADS,
    MONTH,
    MONTHS,
    OLD_YEAR,
    SHORT_MONTH,
    WEEKDAY,
    WEEKDAYS,
    year_of,
)
from core.language.hebrew import is_hebrew

Form = Literal[
    "iso", "compact", "year_and_month", "numeric", "month_of_year", "month_day", "day_month", "month_year",
    "short_month_year", "month", "quarter", "weekday",
]  # fmt: skip
Order = Literal["day first", "month first", "as told"]
Alone = Literal["capital", "led", "both"]

BEGIN = r"(?<![^\W_])(?<![$€£₪#§@+.])(?<!\d[,:/-])"
_LETTERS = "".join(
    sorted({each for name in (*MONTHS, *WEEKDAYS, "quarter", "the") for each in name[0] + name[0].upper()})
)
_STARTS = rf"(?=(?-i:[\dא-ת{_LETTERS}]))"
"""Matches the characters with which a date can start, to exclude most positions of a text quickly."""
_BEGIN = rf"(?<![^\W_]){_STARTS}(?<![$€£₪#§@+.])(?:(?<!\d[,:/-])|(?!\d))"
"""Matches the position where a date may start. After a digit and a dash, a month's name may start, but not a number:
October 1-December 31."""
END = r"(?![^\W_])(?!,\d{3}(?!\d))(?![.:/-]\d)(?!\s?%)"
"""Matches the position where a date may end. A letter or digit directly after it would make it part of another word; an
underscore does not, since filenames are parsed too."""
HEBREW_PREFIX = r"(?:(?<![^\W_])[ובלמהשכ]{1,3}-?)?"

_TOLD = r"(?![^\W_])(?!,\d{3}(?!\d))(?![.:/-]\d)"
"""Matches the position where a year after its month may end. A percent sign may follow, since it does not belong to the
year: "June 30, 2023 % change"."""
_GAP = r"[\s,.·|]{1,4}"
_DAY_ENDS = r"(?![^\W_])(?!,\d{3}(?!\d))(?![.:/]\d)(?!\s?%)"
"""Matches the position where a day without a year may end; the day may start a range: June 5-7."""
_DOT = r"(?:(?:(?<=\b\w\w\w)|(?<=\bsept))\.)?"
_OPENS = re.compile(r"(?:[.!?:;\n|>•]\s*|[\"'(\[*_]+|^\s*[-*\d.()]+\s+)$")
_BEFORE = 40
"""Number of characters before a month word ("may") that are checked to decide whether it means the month."""


@dataclass(frozen=True)
class Day:
    """A date with as many parts as the text states; ``weekday`` counts from Sunday = 1."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    quarter: int | None = None

    def within(self, others: Iterable[Day], years: frozenset[int]) -> bool:
        """Returns whether one of ``others`` is the same date. That date may lack a year if this one's is in
        ``years``."""
        return any(self.fits(other, years) for other in others)

    def fits(self, other: Day, years: frozenset[int]) -> bool:
        """Returns whether ``other`` is the same date and states at least as many parts of it."""
        if self.weekday or other.weekday:
            return self.weekday == other.weekday
        year = self.year is None or self.year == other.year or (other.year is None and self.year in years)
        return year and self.month == other.month and self.day in (None, other.day) and self.quarter == other.quarter


class DateSpan(NamedTuple):
    """A date in a text: ``text[start:end]`` states ``day``; ``bare`` is the start without Hebrew prefixes and "the"."""

    day: Day
    start: int
    end: int
    bare: int
    form: Form


@dataclass(frozen=True)
class DateReading:
    """Settings for what counts as a date, and how its numbers are read.

    ``needs_year``: a day without its year does not count. ``order`` is that of day and month in "03/04/2023": *as told*
    uses evidence in the text (dots and Hebrew mean day first; a number above twelve is a day); without evidence, only
    the year is used. ``dotted_short``: "3.4.23" is a date and not a clause number. ``alone``: when an ambiguous month
    word ("may") without day and year is a month: with a *capital* that does not start a sentence, if *led* to by a word
    such as "in", or *both*.
    """

    forms: tuple[Form, ...]
    needs_year: bool = False
    order: Order = "day first"
    dotted_short: bool = True
    alone: Alone = "capital"
    years: str = OLD_YEAR


DAYS: tuple[Form, ...] = ("iso", "numeric", "month_day", "day_month")
TEXT = DateReading((*DAYS, "month_year", "month", "weekday"))
"""Settings for running text: every mention of a day counts, with or without a year."""


def dates_in(text: str, reading: DateReading = TEXT) -> list[DateSpan]:
    """Returns the dates of ``text`` in order, without overlaps."""
    return [span for match in _date_pattern(reading).finditer(text) if (span := _date_span(match, reading)) is not None]


def date_at(text: str, place: int, reading: DateReading) -> DateSpan | None:
    """Returns the date that starts at position ``place``."""
    match = _date_pattern(reading).match(text, place)
    return _date_span(match, reading) if match else None


def without_dates(text: str, spans: Iterable[DateSpan]) -> str:
    """Returns ``text`` with ``spans`` (in order) replaced by spaces; positions stay the same."""
    parts, place = [], 0
    for span in spans:
        parts += [text[place : span.start], " " * (span.end - span.start)]
        place = span.end
    return "".join([*parts, text[place:]])


def dates_blanked(pattern: re.Pattern[str], text: str, keep: Callable[[re.Match[str]], bool]) -> str:
    """Returns ``text`` with the matches selected by ``keep`` replaced by spaces; positions stay the same."""
    return pattern.sub(lambda match: " " * len(match.group()) if keep(match) else match.group(), text)


def _form_patterns(year: str, short: str, needs_year: bool) -> dict[Form, str]:
    """Returns the pattern for each form of date. Group names start with what the group contains: year, month, day,
    weekday, quarter, or two numbers (a, b) of which one is the day and one the month."""
    no_year = "" if needs_year else f"|{_DAY_ENDS}"
    day = r"\d{1,2})(?:st|nd|rd|th)?"
    return {
        "iso": rf"(?P<y_iso>{year})(?P<s_iso>[-/.])(?P<m_iso>\d{{1,2}})(?P=s_iso)(?P<d_iso>\d{{1,2}}){_TOLD}",
        "compact": rf"(?P<y_compact>{year})(?P<m_compact>0\d|1[0-2])(?P<d_compact>[0-3]\d){END}",
        "year_and_month": rf"(?P<y_year_and_month>{year})-(?P<m_year_and_month>0[1-9]|1[0-2]){END}",
        "numeric": r"(?P<a_numeric>\d{1,2})(?P<s_numeric>[./-])(?P<b_numeric>\d{1,2})(?P=s_numeric)"
        rf"(?P<y_numeric>{year}|(?<={short})\d\d){_TOLD}",
        "month_of_year": rf"(?P<m_month_of_year>0?[1-9]|1[0-2])/(?P<y_month_of_year>{year}){END}",
        "month_day": rf"(?P<m_month_day>{MONTH}){_DOT}\s+(?P<d_month_day>{day}"
        rf"(?:{_GAP}(?P<y_month_day>{year}){_TOLD}{no_year})",
        "day_month": rf"(?P<d_day_month>{day}[\s-]+(?:day\s+)?(?:of\s+)?[בל]?-?(?P<m_day_month>{MONTH}){_DOT}"
        rf"(?:\.?[\s,-]+(?P<y_day_month>{year}){_TOLD}{no_year})",
        "month_year": rf"(?P<m_month_year>{MONTH})\.?(?:[\s,]+(?:of\s+)?|[-_])(?P<y_month_year>{year}){_TOLD}",
        "short_month_year": rf"(?P<m_short_month_year>{SHORT_MONTH})(?:-'?|\s?')(?P<y_short_month_year>\d\d){_TOLD}",
        "month": rf"(?P<m_month>{MONTH}){_DOT}{END}",
        "quarter": rf"q(?P<q_quarter>[1-4])[ -/]?(?P<y_quarter>{year}){END}",
        "weekday": rf"(?P<w_weekday>{WEEKDAY})s?{END}",
    }


@lru_cache(maxsize=64)
def _date_pattern(reading: DateReading) -> re.Pattern[str]:
    forms = _form_patterns(reading.years, "[./]" if reading.dotted_short else "/", reading.needs_year)
    wanted = "|".join(pattern for form, pattern in forms.items() if form in reading.forms)
    return re.compile(rf"{_BEGIN}{HEBREW_PREFIX}(?:the\s+(?=\d))?(?P<bare>{wanted})", re.IGNORECASE)


def _date_span(match: re.Match[str], reading: DateReading) -> DateSpan | None:
    groups = {name: value for name, value in match.groupdict().items() if value and name != "bare"}
    form: Form = next(iter(groups))[2:]  # type: ignore[assignment]
    part = {name[0]: value for name, value in groups.items()}
    if form == "month" and not _is_month(match, part["m"], reading.alone):
        return None
    day = _day_of_groups(part, match, reading.order)
    return DateSpan(day, match.start(), match.end(), match.start("bare"), form) if day else None


def _day_of_groups(part: dict[str, str], match: re.Match[str], order: Order) -> Day | None:
    if "w" in part:
        return Day(weekday=WEEKDAYS[" ".join(part["w"].lower().split())])
    year = year_of(part["y"]) if "y" in part else None
    if "q" in part:
        return Day(year, quarter=int(part["q"]))
    if "a" in part:
        month, day = _ordered(int(part["a"]), int(part["b"]), part["s"], order, match.string)
    else:
        month = MONTHS.get(part["m"].lower()) or int(part["m"])
        day = int(part["d"]) if "d" in part else None
    return Day(year, month, day) if _is_real(year, month, day) else None


def _ordered(first: int, second: int, sign: str, order: Order, text: str) -> tuple[int | None, int | None]:
    """Returns month and day from the two numbers before a year; ``None`` if their order is unknown."""
    if first > 12 or second > 12 or first == second:
        return (second, first) if second <= 12 else (first, second)
    if order == "day first" or sign == "." or (order == "as told" and is_hebrew(text)):
        return second, first
    return (first, second) if order == "month first" else (None, None)


def _is_real(year: int | None, month: int | None, day: int | None) -> bool:
    try:
        # February 29 is allowed if no year is given.
        date(year or 2000, month or 1, day or 1)
    except ValueError:
        return False
    return True


def _is_month(match: re.Match[str], word: str, alone: Alone) -> bool:
    """Returns whether "May" or "March" without day and year is a month."""
    if word.lower() not in DOUBTFUL:
        return True
    place = match.start("bare")
    before = match.string[max(0, place - _BEFORE) : place]
    is_led = (lead := before.rstrip().rpartition(" ")[2].lower()) in LEADS
    if alone == "led":
        return is_led
    if not word[0].isupper():
        return False
    return is_led or lead == "and" if alone == "both" else bool(before.strip()) and not _OPENS.search(before)
