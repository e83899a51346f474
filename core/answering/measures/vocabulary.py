"""How people ask for measures and how their answers are worded: ``measure_words.yaml`` → patterns and sentences."""

from __future__ import annotations

import re

from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.words import Language, Words


class Vocabulary(Entry):
    """``joins``: what stands between two figures, by the sign that it means; ``frame``: words that limit no figure,
    though rows are called by them as well; ``profiles``: figures by which a judgement that none of them decides may be
    made, by the figure that is asked for; ``sound``: from where on a measure is usually called healthy."""

    asks: dict[str, Pattern]
    joins: dict[str, Pattern]
    rewrites: dict[str, Pattern]
    frame: WordSet
    profiles: dict[str, list[str]]
    sound: dict[str, float]
    lines: dict[str, Words]
    says: dict[str, Words]
    doubts: dict[str, Words]


vocabulary = file_of("answering/measure_words", Vocabulary)


def rewritten(text: str) -> str:
    """``text`` with figures whose words stand apart called by their names."""
    for name, pattern in vocabulary().rewrites.items():
        text = pattern.sub(name, text)
    return text


def asks(name: str, text: str) -> re.Match[str] | None:
    """Where ``text`` asks so, by a name under ``asks`` in the file."""
    return vocabulary().asks[name].search(text)


def line(name: str, language: Language, **parts: str) -> str:
    """A sentence of the file with its parts, begun with a capital."""
    text = " ".join(vocabulary().lines[name].to(language).format(**parts).split())
    return text[:1].upper() + text[1:]


def piece(name: str, language: Language, **parts: str) -> str:
    """A part of a sentence, as the file has it."""
    return vocabulary().lines[name].to(language).format(**parts)


def says(name: str, language: Language) -> str:
    return vocabulary().says[name].to(language)


def doubt(name: str, **parts: str | Words) -> Words:
    """Why an answer is not sure, in both languages."""
    return vocabulary().doubts[name].filled(**parts)
