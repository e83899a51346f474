"""The words and numbers of the calendar: *word* → month, weekday, part of a year or year, in English and Hebrew.

The names of data (``calendar.yaml``) and the regular expressions made of them; whoever looks for a month or a year in a
pattern of its own takes them from here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.language.vocabulary import Entry, WordSet, by_word, file_of


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
"""Any name of a month, lower case, to 1..12."""
NAMES = [names.split()[0] for names in _DATA.months.values()]
"""January, february, ... in English, lower case."""
SHORT_NAMES = [names.split()[0].capitalize() for names in _DATA.short.values()]
"""Jan, Feb, ... as they are shown."""
MONTH = _longest_first(MONTHS)
"""A regular expression's alternatives: any name of a month, the longest first."""
FULL_MONTH = _longest_first(_FULL)
SHORT_MONTH = _longest_first(_SHORT)
LAST_MONTH = _longest_first(name for name, number in _FULL.items() if number % 3 == 0)
"""Those that end a quarter of the calendar."""

DOUBTFUL = _DATA.doubtful
LEADS = _DATA.leads
WEEKDAYS = {name: number for number, names in _DATA.weekdays.items() for name in names}
"""Sunday is 1."""
WEEKDAY = _longest_first(WEEKDAYS)

PART_NUMBERS = by_word(_DATA.ordinals)
"""Which part of a year: first, 1st, ראשון, א."""
ORDINAL = _longest_first(word for word in PART_NUMBERS if word.isascii() and word != "last")
_HEBREW_ORDINALS = _longest_first(word for word in PART_NUMBERS if not word.isascii() and len(word) > 1)
HEBREW_ORDINAL = rf"ה?(?:{_HEBREW_ORDINALS}|[אבגד]'|[1-4])"
COUNTS = {word: number for number, words in _DATA.counts.items() for word in words}
COUNT = _longest_first(COUNTS)

YEAR = r"(?:19|20)\d\d"
"""A number that is taken for a year without more."""
OLD_YEAR = r"(?:1[5-9]|20)\d\d"
"""A year beside the name or number of its month, or of a work that is cited."""
ANY_YEAR = r"[12]\d{3}"
"""What may be a year of any history."""
_PIVOT = 70
"""From this on, two digits are a year of the last century: FY98, but FY22."""

_ONE_YEAR = re.compile(YEAR)
_YEARS = re.compile(rf"(?<![\d.,$€£₪]){YEAR}(?!\d|[.,]\d)")
SPLIT_YEAR = re.compile(rf"\b(?P<first>{YEAR})/(?P<last>{YEAR}|\d\d)\b")
"""A year that is named by two ("2018/2019"): the one in which it ends."""


_WRITTEN = {"{month}": f"(?:{MONTH})", "{year}": YEAR, "{old_year}": OLD_YEAR}


def with_calendar(pattern: str) -> str:
    """``pattern`` of a data file with its ``{month}``, ``{year}`` and ``{old_year}`` written out."""
    for name, written in _WRITTEN.items():
        pattern = pattern.replace(name, written)
    return pattern


def is_year(word: str) -> bool:
    """Whether ``word`` is four digits of this century or the last, and nothing else."""
    return bool(_ONE_YEAR.fullmatch(word))


def years_in(text: str) -> list[int]:
    """The years of ``text`` in its order, as often as they are said; "FY2031" is one, amounts ("$2031") are none."""
    return [int(found) for found in _YEARS.findall(text)]


def year_of(digits: str) -> int:
    """ "2022", "'22" or "22" as a year."""
    bare = digits.strip("' ")
    return int(bare) if len(bare) == 4 else int(bare) + (1900 if int(bare) >= _PIVOT else 2000)
