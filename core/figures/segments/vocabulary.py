"""Loads ``answering/segments.yaml``: patterns of questions about parts, and sentences for their answers."""

from __future__ import annotations

import re
from functools import cache

from core.language.vocabulary import Entry, Pattern, file_of, phrase_of
from core.question.stems import stems
from core.words import Language, Words


class _File(Entry):
    noun: str
    asks: dict[str, str]
    rewrites: dict[str, Pattern]
    frame: str
    places: Pattern
    place: Pattern
    rest: Pattern
    growth: Pattern
    mix: Pattern
    lines: dict[str, Words]
    says: dict[str, Words]
    doubts: dict[str, Words]


_file = file_of("answering/segments", _File)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_file().asks[name].replace("{noun}", _nouns()), re.IGNORECASE)


def asks(name: str, text: str) -> re.Match[str] | None:
    """Returns a match of the pattern that the file has under ``asks`` with this name."""
    return _pattern(name).search(text)


def find_nouns(text: str) -> list[str]:
    """Returns the words in ``text`` that mean parts (such as "segment"), as written."""
    return [match.group() for match in _noun_pattern().finditer(text)]


@cache
def _noun_pattern() -> re.Pattern[str]:
    prefixes = phrase_of("answering/segment_patterns.vocabulary.prefixes")
    return re.compile(rf"(?<![^\W_])(?:{prefixes})?(?:{_nouns()})(?![^\W_])", re.IGNORECASE)


def _nouns() -> str:
    return re.sub(r"\s+", "", _file().noun).replace("productlines?", "product lines?")


def rewritten(text: str) -> str:
    """Replaces words in ``text`` that mean a table column with the column's name."""
    for name, pattern in _file().rewrites.items():
        text = pattern.sub(name, text)
    return text


@cache
def frame() -> frozenset[str]:
    """Returns stems of words that name an operation and not what it is applied to."""
    return frozenset(stems(_file().frame))


def is_rest(label: str) -> bool:
    """Returns whether a row is a remainder, such as "other", eliminations or unallocated amounts."""
    return bool(_file().rest.search(label))


def asks_places(noun: str) -> bool:
    """Returns whether parts that are called this, such as regions, are places."""
    return bool(_file().places.search(noun))


def is_place(label: str) -> bool:
    return bool(_file().place.search(label))


def is_growth(text: str) -> bool:
    """Returns whether percentages under such a heading are changes."""
    return bool(_file().growth.search(text))


def is_mix(text: str) -> bool:
    """Returns whether percentages under such a heading are shares of a total."""
    return bool(_file().mix.search(text))


def line(name: str, language: Language, **parts: str) -> str:
    text = " ".join(_file().lines[name].to(language).format(**parts).split()).replace("() ", "").replace(" :", ":")
    return text[:1].upper() + text[1:]


def says(name: str, language: Language) -> str:
    return _file().says[name].to(language)


def doubt(name: str, **parts: Words) -> Words:
    """Returns the reason why an answer is uncertain, in both languages."""
    return _file().doubts[name].filled(**parts)
