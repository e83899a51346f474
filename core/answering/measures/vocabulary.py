"""Loads ``measure_words.yaml``: patterns of questions about measures, and sentences for their answers."""

from __future__ import annotations

import re

from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.words import Language, Words


class Vocabulary(Entry):
    """The file's content.

    ``joins``: words between two figures, by the operation they mean; ``frame``: words that do not restrict a figure,
    although rows contain them; ``profiles``: figures for a judgement that no single figure decides, by the figure asked
    for; ``sound``: values from which a measure is usually considered healthy.
    """

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
    """Replaces separated words of a figure in ``text`` with its name."""
    for name, pattern in vocabulary().rewrites.items():
        text = pattern.sub(name, text)
    return text


def asks(name: str, text: str) -> re.Match[str] | None:
    """Matches the pattern that the file has under ``asks`` with this name."""
    return vocabulary().asks[name].search(text)


def line(name: str, language: Language, **parts: str) -> str:
    """Fills a sentence of the file and capitalises it."""
    text = " ".join(vocabulary().lines[name].to(language).format(**parts).split())
    return text[:1].upper() + text[1:]


def piece(name: str, language: Language, **parts: str) -> str:
    """Fills a part of a sentence of the file."""
    return vocabulary().lines[name].to(language).format(**parts)


def says(name: str, language: Language) -> str:
    return vocabulary().says[name].to(language)


def doubt(name: str, **parts: str | Words) -> Words:
    """Returns the reason why an answer is uncertain, in both languages."""
    return vocabulary().doubts[name].filled(**parts)
