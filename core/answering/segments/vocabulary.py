"""How people ask for parts and how their answers are worded: ``answering/segments.yaml`` → patterns and sentences."""

from __future__ import annotations

import re
from functools import cache

from core.answering.stems import stems
from core.language.vocabulary import Entry, Pattern, file_of, phrase_of
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
    """Where ``text`` asks so, by a name under ``asks`` in the file."""
    return _pattern(name).search(text)


def find_nouns(text: str) -> list[str]:
    """What parts are called in ``text``, as it stands there."""
    return [match.group() for match in _noun_pattern().finditer(text)]


@cache
def _noun_pattern() -> re.Pattern[str]:
    prefixes = phrase_of("answering/segment_patterns.vocabulary.prefixes")
    return re.compile(rf"(?<![^\W_])(?:{prefixes})?(?:{_nouns()})(?![^\W_])", re.IGNORECASE)


def _nouns() -> str:
    return re.sub(r"\s+", "", _file().noun).replace("productlines?", "product lines?")


def rewritten(text: str) -> str:
    """``text`` with what stands for the name of a column called by it."""
    for name, pattern in _file().rewrites.items():
        text = pattern.sub(name, text)
    return text


@cache
def frame() -> frozenset[str]:
    """Stems that say which operation, and not of what."""
    return frozenset(stems(_file().frame))


def is_rest(label: str) -> bool:
    """Whether a row is what no part has: others, eliminations, what is not allocated."""
    return bool(_file().rest.search(label))


def asks_places(noun: str) -> bool:
    """Whether parts that are called so are places."""
    return bool(_file().places.search(noun))


def is_place(label: str) -> bool:
    return bool(_file().place.search(label))


def is_growth(text: str) -> bool:
    """Whether per cent under such a heading are changes."""
    return bool(_file().growth.search(text))


def is_mix(text: str) -> bool:
    """Whether per cent under such a heading are shares of a whole."""
    return bool(_file().mix.search(text))


def line(name: str, language: Language, **parts: str) -> str:
    text = " ".join(_file().lines[name].to(language).format(**parts).split()).replace("() ", "").replace(" :", ":")
    return text[:1].upper() + text[1:]


def says(name: str, language: Language) -> str:
    return _file().says[name].to(language)


def doubt(name: str, **parts: Words) -> Words:
    """Why an answer is not sure, in both languages."""
    return _file().doubts[name].filled(**parts)
