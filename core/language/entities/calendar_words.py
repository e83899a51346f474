"""Defines calendar words and numbers in English and Hebrew: months, weekdays, parts of a year, years.

Contains the names from ``calendar.yaml`` and regular expressions made from them; other modules with month or year
patterns use these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.language.vocabulary import Entry, WordSet, by_word, file_of
from core.words import Language


class _Words(Entry):
    months: dict[int, str]
    short: dict[int, str]
    doubtful: WordSet
    leads: WordSet
    weekdays: dict[int, list[str]]
    ordinals: dict[int, str]
    counts: dict[int, list[str]]


_DATA = file_of("calendar", _Words)()


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted((re.escape(word).replace(r"\-", r"[\s-]") for word in words), key=len, reverse=True))


_FULL = by_word(_DATA.months)
_SHORT = by_word(_DATA.short)
MONTHS = _FULL | _SHORT
"""Maps all month names, lowercase, to 1..12."""
NAMES = [names.split()[0] for names in _DATA.months.values()]
"""january, february, ... in English, lowercase."""
SHORT_NAMES = [names.split()[0].capitalize() for names in _DATA.short.values()]
"""Jan, Feb, ... for display."""
MONTH = _longest_first(MONTHS)
"""Regular expression alternatives for all month names, longest first."""
FULL_MONTH = _longest_first(_FULL)
SHORT_MONTH = _longest_first(_SHORT)
LAST_MONTH = _longest_first(name for name, number in _FULL.items() if number % 3 == 0)
"""The months that end a calendar quarter."""

DOUBTFUL = _DATA.doubtful
LEADS = _DATA.leads
WEEKDAYS = {name: number for number, names in _DATA.weekdays.items() for name in names}
"""Maps weekday names to numbers; Sunday is 1."""
WEEKDAY = _longest_first(WEEKDAYS)

PART_NUMBERS = by_word(_DATA.ordinals)
"""Ordinal numbers for a part of a year, such as a quarter: first, 1st, ראשון, א."""
ORDINAL = _longest_first(word for word in PART_NUMBERS if word.isascii() and word != "last")
_HEBREW_ORDINALS = _longest_first(word for word in PART_NUMBERS if not word.isascii() and len(word) > 1)
HEBREW_ORDINAL = rf"ה?(?:{_HEBREW_ORDINALS}|[אבגד]'|[1-4])"
COUNTS = {word: number for number, words in _DATA.counts.items() for word in words}
COUNT = _longest_first(COUNTS)

YEAR = r"(?:19|20)\d\d"
"""Matches a number that is read as a year even if nothing around it says so."""
OLD_YEAR = r"(?:1[5-9]|20)\d\d"
"""Matches a year next to its month's name or number, or the year of a cited work."""
ANY_YEAR = r"[12]\d{3}"
"""Matches any number that may be a year in history."""
_PIVOT = 70
"""Two-digit years from this number on belong to the last century: FY98 is 1998, but FY22 is 2022."""

_ONE_YEAR = re.compile(YEAR)
_YEARS = re.compile(rf"(?<![\d.,$€£₪]){YEAR}(?!\d|[.,]\d)")
SPLIT_YEAR = re.compile(rf"\b(?P<first>{YEAR})/(?P<last>{YEAR}|\d\d)\b")
"""Matches a year that is named by two numbers ("2018/2019"); the year in which it ends is used."""


_WRITTEN = {"{month}": f"(?:{MONTH})", "{year}": YEAR, "{old_year}": OLD_YEAR}


def with_calendar(pattern: str) -> str:
    """Returns a data file's ``pattern`` with ``{month}``, ``{year}`` and ``{old_year}`` replaced."""
    for name, written in _WRITTEN.items():
        pattern = pattern.replace(name, written)
    return pattern


def month_name(month: int, language: Language) -> str:
    """Returns the full name of a month, 1..12, for display.

    >>> month_name(5, "en")
    'May'
    """
    english, hebrew, *_ = _DATA.months[month].split()
    return hebrew if language == "he" else english.capitalize()


def is_year(word: str) -> bool:
    """Returns whether ``word`` is four digits of this century or the last, and nothing else."""
    return bool(_ONE_YEAR.fullmatch(word))


def years_in(text: str) -> list[int]:
    """Returns the years of ``text`` in order, with repetitions; "FY2031" counts, amounts ("$2031") do not."""
    return [int(found) for found in _YEARS.findall(text)]


def year_of(digits: str) -> int:
    """Parses "2022", "'22" or "22" as a year."""
    bare = digits.strip("' ")
    return int(bare) if len(bare) == 4 else int(bare) + (1900 if int(bare) >= _PIVOT else 2000)
