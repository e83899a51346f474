"""Loads the words of questions about tables: operations, comparisons, names of the same thing."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from core.datasets.query.model import Comparison
from core.language import hebrew
from core.language.terms import is_stop_word, stem, weak_words
from core.language.vocabulary import Entry, WordSet, file_of
from core.tools.datagov.word_groups import groups_by_domain

Patterns = list[str]
Relation = Literal["in", "since", "after", "until", "before"]
"""How a time limits rows: within it, from or after it, up to or before it."""


class _Operations(Entry):
    operations: dict[str, Patterns]
    largest: Patterns
    smallest: Patterns
    vague: Patterns
    per_record: Patterns
    bounds: dict[Comparison, Patterns]
    after: dict[Comparison, Patterns]
    between: Patterns
    start: Patterns
    to: Patterns
    both: WordSet
    file_before: str
    file_after: str
    denying: Patterns
    denial: str
    relations: dict[Relation, Patterns]
    percent: Patterns
    scales: dict[str, float]
    numbers: dict[str, int]
    ordinals: dict[str, int]
    arithmetic: dict[str, str]
    buckets: dict[str, WordSet]
    relative: dict[str, Patterns]
    counting: WordSet
    closed: WordSet
    often: WordSet
    periodic: WordSet
    sold: WordSet
    rows: WordSet
    fillers: WordSet
    follow_up: dict[str, Patterns]
    positive: WordSet
    negative: WordSet


class _Headings(Entry):
    groups: list[list[str]]
    states: list[list[str]]
    weak_headings: WordSet
    averaged: WordSet
    limits: WordSet
    measures: WordSet
    counterparts: dict[str, str]
    products: dict[str, list[str]]


operations = file_of("datasets/operations", _Operations)
headings = file_of("datasets/headings", _Headings)


def whole_words(patterns: Patterns) -> re.Pattern[str]:
    """Compiles patterns that match whole words; Hebrew ones may follow one-letter prefixes."""
    joined = "|".join(patterns)
    return re.compile(rf"(?<!\S)(?:[{hebrew.PREFIXES}]{{1,2}}(?={hebrew.LETTER}))??(?:{joined})(?!\S)", re.IGNORECASE)


@cache
def operation_patterns() -> dict[str, re.Pattern[str]]:
    """Returns the pattern of each operation, also of ``largest``, ``smallest`` and ``vague``."""
    words = operations()
    own = {"largest": words.largest, "smallest": words.smallest, "vague": words.vague, "per_record": words.per_record}
    return {name: whole_words(patterns) for name, patterns in (words.operations | own).items()}


@cache
def follow_up_patterns() -> dict[str, re.Pattern[str]]:
    return {name: whole_words(patterns) for name, patterns in operations().follow_up.items()}


@lru_cache(maxsize=32_768)
def is_filler(word: str) -> bool:
    """Returns whether a folded word carries no meaning in a question about a table."""
    forms = hebrew.variants(word) if hebrew.is_hebrew(word) else (word,)
    fillers = operations().fillers
    return len(word) < 2 or any(form in fillers or is_stop_word(form) for form in forms) or word in weak_words()


@cache
def _groups() -> dict[str, frozenset[int]]:
    return _numbered(headings().groups)


@cache
def _translations() -> dict[str, frozenset[int]]:
    return _numbered([group for groups in groups_by_domain().values() for group in groups])


@cache
def _states() -> dict[str, frozenset[int]]:
    return _numbered(headings().states)


def _numbered(groups: list[list[str]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for name in group:
            found.setdefault(_key(name), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in found.items()}


def _key(name: str) -> str:
    return " ".join(stem(word) for word in name.lower().split())


@lru_cache(maxsize=32_768)
def groups_of(name: str) -> frozenset[int]:
    """Returns the numbers of the groups of names that contain a folded word or phrase."""
    return _found(name, _groups())


@lru_cache(maxsize=32_768)
def translations_of(name: str) -> frozenset[int]:
    """Returns the numbers of the groups of subject terms in both languages that contain a folded word or phrase."""
    return _found(name, _translations())


@lru_cache(maxsize=32_768)
def states_of(name: str) -> frozenset[int]:
    """Returns the numbers of the groups of values, such as *delivered*, that contain a folded word."""
    return _found(name, _states())


def _found(name: str, known: dict[str, frozenset[int]]) -> frozenset[int]:
    if hebrew.is_hebrew(name):
        return frozenset().union(*(known.get(form, frozenset()) for form in hebrew.variants(name)))
    return known.get(_key(name), frozenset())


def bucket_of(word: str) -> str | None:
    """Returns the part of a date that a word names, such as ``month`` for "monthly"."""
    forms = hebrew.variants(word) if hebrew.is_hebrew(word) else (word,)
    return next((name for name, words in operations().buckets.items() if any(form in words for form in forms)), None)


@lru_cache(maxsize=32_768)
def is_measure(word: str) -> bool:
    """Returns whether a folded word names a measure that people often ask for, such as "profit"."""
    known = headings().measures
    if hebrew.is_hebrew(word):
        return any(form in known for form in hebrew.variants(word))
    return word in known or stem(word) in {stem(name) for name in known}


@lru_cache(maxsize=32_768)
def is_weak(word: str) -> bool:
    """Returns whether a folded word is left out of links, but may change what is asked: "won", "served"."""
    if word in operations().fillers or word in operations().rows or is_stop_word(word) or len(word) < 2:
        return False
    return word in weak_words() and bucket_of(word) is None and word not in operations().numbers
