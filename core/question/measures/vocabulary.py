"""Loads ``measure_words.yaml``: patterns of questions about measures, and sentences for their answers."""

from __future__ import annotations

import re

from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.words import Language, Words


class Vocabulary(Entry):
    """The content of ``measure_words.yaml``.

    ``joins``: words between two figures, by the operation that they mean; ``frame``: words that do not restrict a
    figure, although rows contain them; ``profiles``: for a judgement that no single figure decides, the figures to
    show, by the figure asked for; ``sound``: for each measure, the minimum value that is usually considered healthy.
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
    """Replaces the words of a figure in ``text`` with the figure's name if they are not next to each other."""
    for name, pattern in vocabulary().rewrites.items():
        text = pattern.sub(name, text)
    return text


def asks(name: str, text: str) -> re.Match[str] | None:
    """Returns a match of the pattern that the file has under ``asks`` with this name."""
    return vocabulary().asks[name].search(text)


def line(name: str, language: Language, **parts: str) -> str:
    """Returns a sentence from the file with its placeholders filled in and its first letter capitalised."""
    text = " ".join(vocabulary().lines[name].to(language).format(**parts).split())
    return text[:1].upper() + text[1:]


def piece(name: str, language: Language, **parts: str) -> str:
    """Returns a part of a sentence from the file with its placeholders filled in."""
    return vocabulary().lines[name].to(language).format(**parts)


def says(name: str, language: Language) -> str:
    return vocabulary().says[name].to(language)


def doubt(name: str, **parts: str | Words) -> Words:
    """Returns the reason why an answer is uncertain, in both languages."""
    return vocabulary().doubts[name].filled(**parts)
