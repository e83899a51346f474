"""Loads ``answering/prose_words.yaml``: kinds of questions, cues, scales, units and synonyms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Annotated, TypeVar

from pydantic import BeforeValidator

from core.language.hebrew import PREFIXES
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import Entry, file_of

Group = TypeVar("Group")
Member = TypeVar("Member")
_Pattern = Annotated[re.Pattern[str], BeforeValidator(lambda pattern: re.compile(pattern.replace("| ", "|")))]


def _phrases(line: str) -> list[str]:
    return [fold(phrase) for phrase in line.split("|") if phrase.strip()]


_Phrases = Annotated[list[str], BeforeValidator(_phrases)]
_ByPhrase = Annotated[
    dict[str, Group],
    BeforeValidator(lambda lists: {each: key for key, line in lists.items() for each in _phrases(line)}),
]


class Kind(Entry):
    """A kind of question: ``asked`` are the patterns by which users ask it, ``held`` the kinds of values that answer
    it, ``cues`` the groups of cues before an answer; ``whole``: a whole sentence may be the answer."""

    asked: list[_Pattern]
    held: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    whole: bool = False


class Vocabulary(Entry):
    kinds: dict[str, Kind]
    cues: dict[str, _Phrases]
    asking: _Phrases
    pauses: _Phrases
    about: _Phrases
    adverbs: _Phrases
    scales: _ByPhrase[float]
    currencies: _ByPhrase[str]
    durations: _Phrases
    whole_durations: _Phrases
    frequencies: _Phrases
    numbers: _ByPhrase[float]
    alike: list[_Phrases]
    faint: _Phrases
    worked: _Phrases


vocabulary = file_of("answering/prose_words", Vocabulary)


def groups_by_member(groups: Iterable[tuple[Group, Iterable[Member]]]) -> dict[Member, frozenset[Group]]:
    """Inverts a mapping of groups: returns for each member the groups that contain it."""
    found: dict[Member, set[Group]] = {}
    for group, names in groups:
        for name in names:
            found.setdefault(name, set()).add(group)
    return {name: frozenset(of) for name, of in found.items()}


@cache
def groups_of_words() -> dict[str, frozenset[int]]:
    """Maps the stem of each word to the indexes of its groups of synonyms."""
    return groups_by_member((number, map(stem, group)) for number, group in enumerate(vocabulary().alike))


@cache
def cue_words() -> dict[tuple[str, ...], frozenset[str]]:
    """Maps the words of each cue to the cue's groups."""
    return groups_by_member(
        (group, (tuple(phrase.split()) for phrase in phrases)) for group, phrases in vocabulary().cues.items()
    )


@cache
def longest_cue() -> int:
    return max(map(len, cue_words()))


@cache
def pause_words() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in vocabulary().pauses)


@cache
def low_weight_words() -> frozenset[str]:
    """Returns the stems of the words that get a low weight."""
    return frozenset(stem(word) for word in vocabulary().faint)


@cache
def asking_words() -> frozenset[str]:
    """Returns the question words, also with each prefix that they may have in Hebrew."""
    return frozenset(f"{prefix}{word}" for word in vocabulary().asking for prefix in ("", *PREFIXES))


@cache
def worked_words() -> frozenset[str]:
    """Returns stems of words that ask for a change, a total or an average."""
    return frozenset(stem(word) for word in vocabulary().worked)
