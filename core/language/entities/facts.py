"""Extracts checkable facts from English and Hebrew: numbers with units and limits, dates, codes, names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from core.language.cache_sizes import TEXTS
from core.language.decimal_marks import with_decimal_points
from core.language.entities.dates import Day, dates_blanked, dates_in, without_dates
from core.language.entities.numbers import Limit, Number, numbers_in
from core.language.entities.numerals import UNITS
from core.language.normalisation import normalise, strip_nikud
from core.language.terms import is_stop_word

__all__ = ["Day", "Facts", "Limit", "Number", "facts", "opening_word", "prepared"]

_CODE = re.compile(
    r"(?<![\w-])(?<![$€£₪])(?<!\d[.,])(?=[\w-]*[A-Za-z])(?=[\w-]*\d)(?!\d+(?:st|nd|rd|th)\b)[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*"
)
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d\d)(?!:?\d)")
_NAME = re.compile(r"[A-Z][\w'&]*(?:-[\w']+)*")
_START = re.compile(r"(?:^|[.!?:;\n|>•]\s*|[\"'(\[*_]+|^\s*[-*\d.()]+\s+)$")
_BEFORE = 60
"""Number of characters before a word that are checked to decide whether it starts a sentence."""
_NUMBERED = re.compile(
    r"^\W{0,3}\d{1,2}(?:\.\d{1,2})+\)?\s+(?=[A-Z]|[א-ת](?!חוז|ליון|יליון|לף))|^\W{0,3}\d{1,2}[.)]\s+"
)
"""Matches a clause number, which is not a fact."""


@dataclass(frozen=True)
class Facts:
    """The facts of a text; ``names``: Latin-script names and codes, in lowercase."""

    numbers: tuple[Number, ...]
    dates: tuple[Day, ...]
    clocks: frozenset[str]
    names: frozenset[str]

    @property
    def days(self) -> frozenset[Day]:
        return frozenset(self.dates)

    @property
    def years(self) -> frozenset[int]:
        years = {day.year for day in self.days if day.year}
        return frozenset(years | {int(n.value) for n in self.numbers if not n.unit and 1500 <= n.value < 2100})

    @property
    def count(self) -> int:
        return len(self.numbers) + len(self.dates) + len(self.clocks) + len(self.names)


def prepared(text: str) -> str:
    """Returns ``text`` normalised for fact extraction, with decimal points; keeps upper and lower case."""
    return with_decimal_points(strip_nikud(normalise(text)))


@lru_cache(maxsize=TEXTS)
def facts(text: str) -> Facts:
    """Returns the facts in ``text``."""
    days, rest, clocks, codes = _without_numbers(_NUMBERED.sub("", prepared(text)))
    return Facts(tuple(numbers_in(rest)), tuple(days), clocks, frozenset(codes | set(_capitalised_words(rest))))


def _without_numbers(text: str) -> tuple[list[Day], str, frozenset[str], set[str]]:
    """Splits ``text`` into dates, clock times and codes, and the rest; positions in the rest are unchanged."""
    spans = dates_in(text)
    rest = without_dates(text, spans)
    clocks = frozenset(f"{int(match[1])}:{match[2]}" for match in _CLOCK.finditer(rest))
    rest = dates_blanked(_CLOCK, rest, lambda match: True)
    codes = {match.group().lower() for match in _CODE.finditer(rest)}
    return [span.day for span in spans], dates_blanked(_CODE, rest, lambda match: True), clocks, codes


def numbers_only(text: str) -> str:
    """Returns ``text`` (prepared) with dates, clock times, codes and the clause number replaced by spaces; positions
    stay the same."""
    text = dates_blanked(_NUMBERED, text, lambda match: True)
    return _without_numbers(text)[1]


def _capitalised_words(text: str) -> Iterator[str]:
    """Yields capitalised words that do not start a sentence."""
    for match in _NAME.finditer(text):
        word = match.group().removesuffix("'s")
        opens = bool(_START.search(text[max(0, match.start() - _BEFORE) : match.start()])) or match.start() == 0
        if len(word) < 2 or word.lower() in UNITS or is_stop_word(word.lower()):
            continue
        if not opens or (word.isupper() and len(word) > 1):
            yield word.lower()


def opening_word(text: str) -> str | None:
    """Returns the capitalised first word of ``text``, which may be a name."""
    match = _NAME.match(prepared(text).lstrip("\"'([*_> -#"))
    return match.group().removesuffix("'s").lower() if match and not is_stop_word(match.group().lower()) else None
