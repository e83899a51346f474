"""Loads the word lists that distinguish names from terms, and validates them."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import BeforeValidator

from core.language.vocabulary import Entry, WordSet, file_of

_Names = Annotated[frozenset[str], BeforeValidator(lambda text: [name.strip() for name in text.split("|")])]


class People(Entry):
    given_latin: WordSet
    given_hebrew: WordSet
    family_hebrew: WordSet
    titles_latin: WordSet
    titles_hebrew: WordSet
    before_hebrew: WordSet
    words_hebrew: WordSet


class Organisations(Entry):
    ends: WordSet
    heads: WordSet
    well_known: WordSet
    hebrew_heads: WordSet
    hebrew_pairs: WordSet
    hebrew_known: WordSet
    hebrew_ends: WordSet
    hebrew_first: WordSet
    hebrew_doubtful: WordSet
    doubtful: WordSet
    general: WordSet
    no_name: WordSet


class Places(Entry):
    latin: _Names
    hebrew: _Names
    streets: WordSet
    hebrew_streets: WordSet
    doubtful: WordSet
    hebrew_doubtful: WordSet


class Terms(Entry):
    english_verbs: WordSet
    also_nouns: WordSet
    ing_nouns: WordSet
    english_weak: WordSet
    english_function: WordSet
    irregular: WordSet
    title_nouns: WordSet
    defined_ordinary: WordSet
    doubtful_metrics: WordSet
    everyday: WordSet
    hebrew_verbs: WordSet
    hebrew_weak: WordSet

    @property
    def inflected(self) -> frozenset[str]:
        """All forms of the verbs that cannot be nouns."""
        forms = {form for verb in self.english_verbs for form in _verb_forms(verb)}
        return frozenset(forms - self.also_nouns - {f"{noun}s" for noun in self.also_nouns})


def _verb_forms(verb: str) -> tuple[str, ...]:
    bare = verb.removesuffix("e")
    plural = f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"
    return verb, plural, f"{verb}es", f"{bare}ed", f"{bare}ing", f"{verb}{verb[-1]}ed", f"{verb}{verb[-1]}ing"


people = file_of("knowledge/people", People)
organisations = file_of("knowledge/organisations", Organisations)
places = file_of("knowledge/places", Places)
terms = file_of("knowledge/terms", Terms)


@cache
def blocked_english() -> frozenset[str]:
    """Words that are never part of a key term."""
    known = terms()
    return known.inflected | known.english_weak | known.english_function | known.irregular
