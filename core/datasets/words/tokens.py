"""Splits a question into words and compares words: by stem, as inflected Hebrew, as abbreviations and with typos."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import DamerauLevenshtein

from core.datasets.words.vocabulary import groups_of
from core.language import hebrew
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.transliteration import sounds_like

_WORD = re.compile(
    r"\d+(?:[.,:/\-]\d+)+|\d+(?=(?!st\b|nd\b|rd\b|th\b|x)[a-z]{2,})|\d+(?:st|nd|rd|th)\b|\d+x+\b|\d+\+|[<>=≥≤]+|%|[^\W\d_]+\"[^\W\d_]+|[^\W_]+(?:'s\b)?|[-+*]",
    re.IGNORECASE,
)
_SHORTEST_TYPO, _LONG_WORD = 5, 8
EXACT, STEM, FORM, TYPO, SYNONYM = 1.0, 0.95, 0.9, 0.8, 0.7
"""How well two words agree: equal, same stem, inflected or abbreviated, misspelled, or names of the same thing."""
_SHORTEST_ABBREVIATION = 3


@dataclass(frozen=True)
class Token:
    """A word of a question. ``start`` and ``end`` are its place in the joined text; ``raw`` keeps its capitals;
    ``aside`` is set in sentences that do not ask; ``source`` is its place in the question."""

    text: str
    raw: str
    start: int
    end: int
    aside: bool = False
    quoted: bool = False
    source: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Words:
    """The words of a question, and its text with one space between them."""

    tokens: tuple[Token, ...]
    text: str
    question: str = ""

    def written(self, first: int, last: int) -> str:
        """Returns the words from ``first`` to ``last`` as they are in the question."""
        return self.question[self.tokens[first].source[0] : self.tokens[last - 1].source[1]]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Returns the first word and the word after the last of the characters from ``start`` to ``end``."""
        inside = [index for index, token in enumerate(self.tokens) if token.start < end and token.end > start]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)


def words_of(text: str) -> list[str]:
    """Returns the folded words of a heading, a value or a question."""
    return [match.group().removesuffix("'s") for match in _WORD.finditer(fold(text))]


def split(question: str, focus: str) -> Words:
    """Splits ``question`` into words; those outside of ``focus`` are marked."""
    tokens: list[Token] = []
    place, at = 0, question.find(focus) if focus else 0
    quotes = [match.span() for match in re.finditer(r"(?<!\w)[\"“'](.+?)[\"”'](?!\w)", question)]
    for match in _WORD.finditer(question):
        folded = fold(match.group()).removesuffix("'s")
        if not folded:
            continue
        aside = bool(focus) and at >= 0 and not at <= match.start() < at + len(focus)
        quoted = any(start < match.start() < end for start, end in quotes)
        tokens.append(Token(folded, match.group(), place, place + len(folded), aside, quoted, match.span()))
        place += len(folded) + 1
    return Words(tuple(tokens), " ".join(token.text for token in tokens), question)


@lru_cache(maxsize=65_536)
def agreement(one: str, other: str) -> float:
    """Returns how well two folded words agree, 0 to 1, without synonyms."""
    if one == other:
        return EXACT
    if one[:1].isdigit() or other[:1].isdigit():
        return 0.0
    if hebrew.is_hebrew(one) != hebrew.is_hebrew(other):
        he, en = (one, other) if hebrew.is_hebrew(one) else (other, one)
        return TYPO if any(sounds_like(form, en) >= _SHORTEST_ABBREVIATION for form in hebrew.variants(he)[:2]) else 0.0
    if hebrew.is_hebrew(one):
        return _hebrew_agreement(one, other)
    if stem(one) == stem(other):
        return STEM
    if len(one) >= _SHORTEST_ABBREVIATION and len(other) >= _SHORTEST_ABBREVIATION:
        short, long = sorted((one, other), key=len)
        if long.startswith(short) and len(long) - len(short) > 2 and len(short) <= 4 and len(long) >= 7:
            return TYPO
    return TYPO if is_typo(one, other) else 0.0


def _hebrew_agreement(one: str, other: str) -> float:
    ones, others = hebrew.variants(one), hebrew.variants(other)
    if other in ones or one in others:
        return STEM
    bases = {base for form in ones for base in hebrew.own_forms(form)}
    if other in bases or bases & set(hebrew.own_forms(other)):
        return FORM
    return 0.0


def is_typo(one: str, other: str) -> bool:
    """Returns whether ``one`` is likely a misspelling of ``other``: one letter differs, or two in a long word."""
    shorter = min(len(one), len(other))
    if one[:1] != other[:1] or shorter < _SHORTEST_TYPO - 1 or not (one.isalpha() and other.isalpha()):
        return False
    most = 2 if shorter >= _LONG_WORD else 1
    if shorter <= _SHORTEST_TYPO and len(one) == len(other) and sorted(one) != sorted(other):
        return False
    return DamerauLevenshtein.distance(one, other, score_cutoff=most) <= most


@lru_cache(maxsize=65_536)
def meaning(one: str, other: str) -> float:
    """Returns how well two words agree, also as names of the same thing."""
    found = agreement(one, other)
    if found >= TYPO:
        return found
    return SYNONYM if groups_of(one) & groups_of(other) else found
