"""Expands a text with synonyms and acronyms, in both directions and in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from pydantic import Field

from core.language.fields import fields
from core.language.normalisation import fold
from core.language.phrases import PhraseMatcher, words
from core.language.vocabulary import Entry, file_of


class Expansion(NamedTuple):
    """An expanded question: ``text`` is the question with the ``added`` words at its end, ready for embedding."""

    text: str
    added: list[str]


class Domain(Entry):
    """A subject area: its name in both languages and groups of synonyms."""

    en: str
    he: str
    groups: list[list[str]] = Field(min_length=1)


domains = file_of("expansions", dict[str, Domain])
"""The subject areas by key, as in the data file."""


@cache
def _synonym_groups() -> list[list[str]]:
    own = [group for domain in domains().values() for group in domain.groups]
    return [*own, *(topic for field in fields().values() for topic in field.topics)]


@cache
def _synonym_matcher() -> PhraseMatcher[int]:
    return PhraseMatcher((name, number) for number, group in enumerate(_synonym_groups()) for name in group)


def expand(text: str) -> Expansion:
    """Returns ``text`` with synonyms of the terms that it contains; if several terms start at one word, the longest is
    used."""
    present = f" {_normal_phrase(text)} "
    mentioned = dict.fromkeys(number for found in _synonym_matcher().find(text) for number in found.entries)
    names = (name for number in mentioned for name in _synonym_groups()[number])
    added = [name for name in dict.fromkeys(names) if f" {_normal_phrase(name)} " not in present]
    return Expansion(" ".join([text, *added]), added)


def _normal_phrase(text: str) -> str:
    return " ".join(map(fold, words(text)))


def synonyms() -> Iterator[tuple[str, list[str]]]:
    """Yields each group with its subject area's key, for the synonym edges of the knowledge graph."""
    return ((key, group) for key, domain in domains().items() for group in domain.groups)
