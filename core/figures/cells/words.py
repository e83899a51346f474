"""Splits questions, headings and cells into tokens for comparison, each with its word forms.

Case and inflection in the question's language are ignored. Text without spaces between words is compared as a string.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.figures.tables.units_of_measure import without_units
from core.language.cache_sizes import TEXTS
from core.language.entities.calendar_words import MONTHS
from core.language.entities.dates import DateReading, dates_in
from core.language.foreign_terms import is_unspaced, stem_by_script, stem_in
from core.language.languages import TextLanguage, language_words, text_language
from core.language.normalisation import fold
from core.language.phrases import WORD
from core.language.terms import is_stop_word
from core.language.vocabulary import words_of
from core.question.stems import stem_of, weak_stems

_NEUTRAL = frozenset(words_of("answering/cells.neutral"))
"""Words that do not identify a cell: question words and forms of "have"."""
_ELIDED = re.compile(r"^(?:[ldnscjmt]|qu|dell|all|nell|sull|dall|un)'(?=\w{2})")
_DATES = DateReading(("iso", "numeric", "month_day", "day_month"), needs_year=True)
_MONTH_LETTERS = 3
_LEAST_ALIKE, _LEAST_LETTERS = 0.75, 5


@dataclass(frozen=True)
class Token:
    """A word; ``forms`` are its normalised (folded) spellings and stems, and two tokens with a common form are the same
    word. ``says_nothing`` marks question words and function words, ``is_glue`` only function words; ``start`` and
    ``end`` are character positions in the folded text."""

    text: str
    forms: frozenset[str]
    says_nothing: bool
    start: int
    end: int
    is_glue: bool = False

    def same(self, other: Token, loose: bool = False) -> bool:
        """Returns whether both are the same word; with ``loose``, a common beginning is enough (for languages without a
        stemmer)."""
        return bool(self.forms & other.forms) or (loose and _begin_alike(self.text, other.text))


@dataclass(frozen=True)
class AskedWords:
    """A question: its ``text`` folded, its ``tokens``, and the ``days`` that it names (ISO) with their positions."""

    text: str
    tokens: tuple[Token, ...]
    days: dict[str, frozenset[int]]
    language: TextLanguage
    unspaced: bool
    loose: bool


@lru_cache(maxsize=TEXTS)
def asked_words(question: str) -> AskedWords:
    language = text_language(question)
    text = fold(question)
    tokens = tokens_of(question, language)
    days: dict[str, frozenset[int]] = {}
    for span in dates_in(text, _DATES):
        day = span.day
        if day.year and day.month and day.day:
            inside = (place for place, token in enumerate(tokens) if span.start <= token.start < span.end)
            days[f"{day.year:04}-{day.month:02}-{day.day:02}"] = frozenset(inside)
    return AskedWords(text, tokens, days, language, is_unspaced(text), not text.isascii())


@lru_cache(maxsize=32_768)
def tokens_of(text: str, language: TextLanguage) -> tuple[Token, ...]:
    """Returns the tokens in text order."""
    folded = fold(text)
    return tuple(_token(found, language) for found in WORD.finditer(folded))


@lru_cache(maxsize=8192)
def head_tokens(head: str, language: TextLanguage) -> tuple[Token, ...]:
    """Returns the content words of a heading, without its unit."""
    return tuple(token for token in tokens_of(without_units(head), language) if not token.says_nothing)


@lru_cache(maxsize=8192)
def days_of(text: str) -> tuple[str, ...]:
    """Returns the date in a cell (ISO); empty if the cell does not consist of exactly one date."""
    found = dates_in(text, _DATES)
    if len(found) != 1 or text[: found[0].start].strip() or text[found[0].end :].strip():
        return ()
    day = found[0].day
    return (f"{day.year:04}-{day.month:02}-{day.day:02}",) if day.year and day.month and day.day else ()


def places_of(sought: Sequence[Token], asked: AskedWords) -> frozenset[int]:
    """Returns the positions of the question words that match ``sought``: as one sequence if possible, otherwise each
    word separately; empty if the question lacks a content word of it."""
    if not sought:
        return frozenset()
    tokens = asked.tokens
    for start in range(len(tokens) - len(sought) + 1):
        if all(one.same(other, asked.loose) for one, other in zip(tokens[start:], sought, strict=False)):
            return frozenset(range(start, start + len(sought)))
    found: set[int] = set()
    for other in sought:
        if other.says_nothing:
            continue
        place = next((place for place, one in enumerate(tokens) if one.same(other, asked.loose)), None)
        if place is None:
            return frozenset()
        found.add(place)
    return frozenset(found)


def _token(found: re.Match[str], language: TextLanguage) -> Token:
    word = _ELIDED.sub("", found.group().removesuffix("'s").strip("'\""))
    stemmed = stem_of(word)
    forms = {word, stemmed, stem_by_script(word) or ""}
    if language not in ("en", "he"):
        forms.add(stem_in(word, language))
    if word in MONTHS and len(word) >= _MONTH_LETTERS:
        forms.add(f"month {MONTHS[word]}")
    known = language_words().get(language)
    nothing = (
        not stemmed
        or stemmed in weak_stems()
        or word in _NEUTRAL
        or (is_stop_word(word) and not any(map(str.isdigit, word)) and len(word) > 1)
        or (known is not None and word in known.words)
    )
    return Token(
        word, frozenset(filter(None, forms)), nothing, found.start(), found.end(), not stemmed or word in _NEUTRAL
    )


def _begin_alike(one: str, other: str) -> bool:
    if min(len(one), len(other)) < _LEAST_LETTERS:
        return False
    same = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    common = min(len(one), len(other)) if same is None else same
    return common >= _LEAST_ALIKE * max(len(one), len(other))
