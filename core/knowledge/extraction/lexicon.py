"""The word lists by which names and terms are told apart; their owner validates them."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel, field_validator

from core.language.vocabulary import read_vocabulary


class _Words(BaseModel, extra="forbid", frozen=True):
    @field_validator("*", mode="before")
    @classmethod
    def _split(cls, value: str | list[str]) -> list[str]:
        return value.split() if isinstance(value, str) else value


class People(_Words):
    given_latin: frozenset[str]
    given_hebrew: frozenset[str]
    family_hebrew: frozenset[str]
    titles_latin: frozenset[str]
    titles_hebrew: frozenset[str]
    before_hebrew: frozenset[str]
    words_hebrew: frozenset[str]


class Organisations(_Words):
    ends: frozenset[str]
    heads: frozenset[str]
    well_known: frozenset[str]
    hebrew_heads: frozenset[str]
    hebrew_pairs: frozenset[str]
    hebrew_known: frozenset[str]
    hebrew_ends: frozenset[str]
    hebrew_first: frozenset[str]
    hebrew_doubtful: frozenset[str]
    doubtful: frozenset[str]
    general: frozenset[str]
    no_name: frozenset[str]


class Places(_Words):
    latin: frozenset[str]
    hebrew: frozenset[str]
    streets: frozenset[str]
    hebrew_streets: frozenset[str]
    doubtful: frozenset[str]
    hebrew_doubtful: frozenset[str]

    @field_validator("latin", "hebrew", mode="before")
    @classmethod
    def _split_names(cls, value: str) -> list[str]:
        return [name.strip() for name in re.split(r"\|", value)]


class Terms(_Words):
    english_verbs: frozenset[str]
    also_nouns: frozenset[str]
    ing_nouns: frozenset[str]
    english_weak: frozenset[str]
    english_function: frozenset[str]
    irregular: frozenset[str]
    title_nouns: frozenset[str]
    defined_ordinary: frozenset[str]
    doubtful_metrics: frozenset[str]
    everyday: frozenset[str]
    hebrew_verbs: frozenset[str]
    hebrew_weak: frozenset[str]

    @property
    def inflected(self) -> frozenset[str]:
        """Every form of the verbs that is no noun."""
        forms = {form for verb in self.english_verbs for form in _verb_forms(verb)}
        return frozenset(forms - self.also_nouns - {f"{noun}s" for noun in self.also_nouns})


def _verb_forms(verb: str) -> tuple[str, ...]:
    bare = verb.removesuffix("e")
    plural = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
    return verb, plural, f"{verb}es", f"{bare}ed", f"{bare}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"


@cache
def people() -> People:
    return People.model_validate(read_vocabulary("knowledge/people"))


@cache
def organisations() -> Organisations:
    return Organisations.model_validate(read_vocabulary("knowledge/organisations"))


@cache
def places() -> Places:
    return Places.model_validate(read_vocabulary("knowledge/places"))


@cache
def terms() -> Terms:
    return Terms.model_validate(read_vocabulary("knowledge/terms"))


@cache
def blocked_english() -> frozenset[str]:
    """Words that no key term holds."""
    known = terms()
    return known.inflected | known.english_weak | known.english_function | known.irregular
