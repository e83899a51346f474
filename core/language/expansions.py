"""Synonyms and acronyms, both ways, in both languages [001 §6.0; 002 §21.4, §23.6; spec H3]."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, RootModel

from core.language import hebrew
from core.language.data import read
from core.language.normalisation import fold, normalise
from core.language.terms import is_stop_word

_WORD = re.compile(r"[^\W_]+(?:[\"'&./+-][^\W_]+)*'?")


class Expansion(NamedTuple):
    """``text`` is the question with what was ``added`` behind it, ready for embedding."""

    text: str
    added: list[str]


class Domain(BaseModel):
    """A field of life: its name in both languages and groups of names for one thing each."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    en: str
    he: str
    groups: list[list[str]] = Field(min_length=1)


class _Domains(RootModel[dict[str, Domain]]):
    pass


class _Lexicon(NamedTuple):
    groups: list[list[str]]
    by_phrase: dict[tuple[str, ...], list[int]]
    capitals: set[tuple[str, ...]]
    longest: int


@cache
def domains() -> dict[str, Domain]:
    """The domains by key, as the data file has them."""
    return _Domains.model_validate(read("expansions.yaml")).root


@cache
def _lexicon() -> _Lexicon:
    groups = [group for domain in domains().values() for group in domain.groups]
    by_phrase: dict[tuple[str, ...], list[int]] = {}
    capitals: set[tuple[str, ...]] = set()
    for number, group in enumerate(groups):
        for name in group:
            words = _words(name)
            phrase = tuple(map(fold, words))
            by_phrase.setdefault(phrase, []).append(number)
            if all(is_stop_word(fold(word)) for word in words):
                capitals.add(phrase)  # "IT" is a field, "it" is not
    return _Lexicon(groups, by_phrase, capitals, max(map(len, by_phrase)))


def _words(text: str) -> list[str]:
    return _WORD.findall(normalise(text).replace("-", " "))


@lru_cache(maxsize=50_000)
def _forms(word: str) -> tuple[str, ...]:
    """The word as the data may have it: itself, its singular, in Hebrew also without prefixes.

    Not its stem: that of "universe" and "university" is one.
    """
    word = fold(word)
    if hebrew.is_hebrew(word):
        return hebrew.variants(word)
    endings = (("ies", "y"), ("es", ""), ("s", ""), ("'s", ""))
    singulars = [word.removesuffix(plural) + end for plural, end in endings if word.endswith(plural)]
    return (word, *(form for form in singulars if len(form) > 1 and not word.endswith("ss")))


def expand(text: str) -> Expansion:
    """``text`` with the other names of what it mentions; the longest name wins where several begin at one word."""
    words = _words(text)
    present = f" {' '.join(map(fold, words))} "
    added = [
        name for number in _mentioned(words) for name in _lexicon().groups[number] if f" {_plain(name)} " not in present
    ]
    added = list(dict.fromkeys(added))
    return Expansion(" ".join([text, *added]), added)


def _plain(name: str) -> str:
    return " ".join(map(fold, _words(name)))


def _mentioned(words: list[str]) -> list[int]:
    numbers: dict[int, None] = {}
    start = 0
    while start < len(words):
        length, found = _longest_from(words, start)
        numbers.update(dict.fromkeys(found))
        start += length
    return list(numbers)


def _longest_from(words: list[str], start: int) -> tuple[int, list[int]]:
    lexicon = _lexicon()
    for length in range(min(lexicon.longest, len(words) - start), 0, -1):
        span = words[start : start + length]
        for phrase in product(*map(_forms, span)):
            found = lexicon.by_phrase.get(phrase)
            if found and (phrase not in lexicon.capitals or all(word.isupper() for word in span)):
                return length, found
    return 1, []


def synonyms() -> Iterator[tuple[str, list[str]]]:
    """Each group with its domain's key, for the synonym edges of the graph."""
    for key, domain in domains().items():
        for group in domain.groups:
            yield key, group
