"""Reads the words of a question by which a row can be found: words, codes, numbers and dates."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.language.hebrew import PREFIXES
from core.language.normalisation import normalise
from core.language.terms import content_terms, stem

MOST_WORDS = 12
"""Maximum number of words of a question that are looked up."""
_WORD = re.compile(r"[^\W_]+(?:(?:[-./_'\"]|(?<=\d),(?=\d))[^\W_]+)*")
_LEAST_WORD = 2
_LEAST_DIGITS = 5
"""A number with fewer digits may occur by chance."""
_LONGEST_ENDING = 4
_BOUNDARY = r"[^\pL\pN]"


@dataclass(frozen=True)
class Word:
    """A word to find: ``needle`` is contained in each text that ``pattern`` (RE2) matches; both are in lower case.
    ``number`` and ``date`` are its value, if it has one. ``is_exact``: it identifies a row, such as a code."""

    needle: str
    pattern: str
    number: float | None = None
    date: datetime.date | None = None
    is_exact: bool = False


def words_of(question: str) -> list[Word]:
    """Returns the words of a question by which rows can be found, without stop words."""
    found = {word.needle: word for word in _words(normalise(question))}
    return list(found.values())[:MOST_WORDS]


def _words(question: str) -> Iterator[Word]:
    for match in _WORD.findall(question):
        text = str(match).lower().removesuffix("'s")
        has_digit = any(character.isdigit() for character in text)
        if len(text) < _LEAST_WORD or not (has_digit or content_terms(text)):
            continue
        yield _coded(text) if has_digit else _worded(text)


def _coded(text: str) -> Word:
    """A word with digits, which must match as a whole."""
    has_letter = any(character.isalpha() for character in text)
    digits = sum(character.isdigit() for character in text)
    return Word(
        needle=text,
        pattern=f"(?:^|{_BOUNDARY}){re.escape(text)}(?:$|{_BOUNDARY})",
        number=None if has_letter else _number(text),
        date=_date(text),
        is_exact=has_letter or digits >= _LEAST_DIGITS,
    )


def _worded(text: str) -> Word:
    """A word, which may have another ending, or begin with a joined Hebrew word."""
    needle = _shared_beginning(text, stem(text)) or text
    endings = f"\\pL{{0,{_LONGEST_ENDING}}}" if text.isascii() else ""
    pattern = f"(?:^|{_BOUNDARY})[{PREFIXES}]{{0,2}}{re.escape(needle)}{endings}(?:$|{_BOUNDARY})"
    return Word(needle=needle, pattern=pattern)


def _shared_beginning(one: str, other: str) -> str:
    length = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(other))
    return one[:length]


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None
