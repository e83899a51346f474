"""How people ask for measures and how their answers are worded: ``measure_words.yaml`` → patterns and sentences."""

from __future__ import annotations

import re

from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.words import Language, Words


class _File(Entry):
    asks: dict[str, Pattern]
    joins: dict[str, Pattern]
    rewrites: dict[str, Pattern]
    frame: WordSet
    profiles: dict[str, list[str]]
    sound: dict[str, float]
    lines: dict[str, Words]
    says: dict[str, Words]
    doubts: dict[str, Words]


_file = file_of("answering/measure_words", _File)


def sign_patterns() -> dict[str, re.Pattern[str]]:
    """What stands between two figures, by the sign that it means."""
    return _file().joins


def frame() -> frozenset[str]:
    """Words that limit no figure, though rows are called by them as well."""
    return _file().frame


def rewritten(text: str) -> str:
    """``text`` with figures whose words stand apart called by their names."""
    for name, pattern in _file().rewrites.items():
        text = pattern.sub(name, text)
    return text


def profiles() -> dict[str, list[str]]:
    """Figures by which a judgement that none of them decides may be made, by the figure that is asked for."""
    return _file().profiles


def healthy_thresholds() -> dict[str, float]:
    """From where on a measure is usually called healthy."""
    return _file().sound


def asks(name: str, text: str) -> re.Match[str] | None:
    """Where ``text`` asks so, by a name under ``asks`` in the file."""
    return _file().asks[name].search(text)


def line(name: str, language: Language, **parts: str) -> str:
    """A sentence of the file with its parts, begun with a capital."""
    text = " ".join(_file().lines[name].to(language).format(**parts).split())
    return text[:1].upper() + text[1:]


def piece(name: str, language: Language, **parts: str) -> str:
    """A part of a sentence, as the file has it."""
    return _file().lines[name].to(language).format(**parts)


def says(name: str, language: Language) -> str:
    return _file().says[name].to(language)


def doubt(name: str, **parts: str | Words) -> Words:
    """Why an answer is not sure, in both languages."""
    return _file().doubts[name].filled(**parts)
