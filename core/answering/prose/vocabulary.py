"""The words of questions and answers: ``answering/prose_words.yaml`` → kinds, cues, scales, units and like words."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel, field_validator

from core.language.hebrew import PREFIXES
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import read_vocabulary


class Kind(BaseModel, extra="forbid", frozen=True):
    """One kind of thing that is asked for: how it is ``asked``, the kinds of values that it is ``held`` in, the groups
    of ``cues`` after which it stands; ``whole``: a whole sentence may be what is asked for."""

    asked: list[re.Pattern[str]]
    held: list[str] = []
    cues: list[str] = []
    whole: bool = False

    @field_validator("asked", mode="before")
    @classmethod
    def _compile(cls, patterns: list[str]) -> list[re.Pattern[str]]:
        return [re.compile(pattern.replace("| ", "|")) for pattern in patterns]


def _folded_phrases(words: str) -> list[str]:
    return [fold(phrase) for phrase in words.split("|") if phrase.strip()]


class Vocabulary(BaseModel, extra="forbid", frozen=True):
    kinds: dict[str, Kind]
    cues: dict[str, list[str]]
    asking: list[str]
    pauses: list[str]
    about: list[str]
    adverbs: list[str]
    scales: dict[float, list[str]]
    currencies: dict[str, list[str]]
    durations: list[str]
    whole_durations: list[str]
    frequencies: list[str]
    numbers: dict[float, list[str]]
    alike: list[list[str]]
    faint: list[str]
    worked: list[str]

    @field_validator(
        "asking",
        "pauses",
        "about",
        "adverbs",
        "durations",
        "whole_durations",
        "frequencies",
        "faint",
        "worked",
        mode="before",
    )
    @classmethod
    def _list(cls, words: str) -> list[str]:
        return _folded_phrases(words)

    @field_validator("cues", "scales", "currencies", "numbers", mode="before")
    @classmethod
    def _split_named_groups(cls, groups: dict[str, str]) -> dict[str, list[str]]:
        return {name: _folded_phrases(words) for name, words in groups.items()}

    @field_validator("alike", mode="before")
    @classmethod
    def _split_groups(cls, groups: list[str]) -> list[list[str]]:
        return [_folded_phrases(words) for words in groups]


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary.model_validate(read_vocabulary("answering/prose_words"))


@cache
def groups_of_words() -> dict[str, frozenset[int]]:
    """A stem → the numbers of the groups of like words that it is in."""
    found: dict[str, set[int]] = {}
    for number, group in enumerate(vocabulary().alike):
        for word in group:
            found.setdefault(stem(word), set()).add(number)
    return {word: frozenset(groups) for word, groups in found.items()}


@cache
def cue_words() -> dict[tuple[str, ...], frozenset[str]]:
    """The words of a cue → the groups that it is of."""
    found: dict[tuple[str, ...], set[str]] = {}
    for group, phrases in vocabulary().cues.items():
        for phrase in phrases:
            found.setdefault(tuple(phrase.split()), set()).add(group)
    return {phrase: frozenset(groups) for phrase, groups in found.items()}


@cache
def longest_cue() -> int:
    return max(map(len, cue_words()))


@cache
def pause_words() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in vocabulary().pauses)


@cache
def low_weight_words() -> frozenset[str]:
    """Stems of the words that weigh little."""
    return frozenset(stem(word) for word in vocabulary().faint)


@cache
def asking_words() -> frozenset[str]:
    """With each prefix that they may have."""
    return frozenset(f"{prefix}{word}" for word in vocabulary().asking for prefix in ("", *PREFIXES))


@cache
def worked_words() -> frozenset[str]:
    """Stems of the words by which a change, a total or a mean is asked for."""
    return frozenset(stem(word) for word in vocabulary().worked)
