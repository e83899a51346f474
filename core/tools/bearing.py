"""Finds the terms that a question and a tool's description have in common; the two may be in different languages.

A question term matches the same word in any form, or a synonym. Synonyms come from the general groups, from those for
open data, and from the verbs and nouns of tools (``vocabulary/tool_words.yaml``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language.normalisation import fold
from core.language.phrases import PhraseMatcher, words
from core.language.terms import content_terms, covers
from core.language.vocabulary import file_of
from core.tools.datagov import word_groups

_GIVEN = re.compile(
    r"""(?<!\w)["“”«][^"“”«»\n]+["”»](?!\w)   # what is quoted
    |\S{0,100}[/\\*]\S*                       # a path, an address, a pattern
    |[\w.-]{0,100}\w\.[A-Za-z][A-Za-z0-9]{0,4}\b    # the name of a file
    |\S{0,100}\d\S*                           # a number, a date, an hour
    """,
    re.VERBOSE,
)
"""Content that the user passes to the tool (quotations, addresses, numbers); descriptions do not contain it."""


FIELD = "field."
"""Prefix that marks the number of a general synonym group."""


_groups = file_of("tool_words", dict[str, list[list[str]]])


@cache
def _tool_words() -> PhraseMatcher[str]:
    named = (
        (name, f"{part}.{number}")
        for part, all_ in _groups().items()
        for number, group in enumerate(all_)
        for name in group
    )
    return PhraseMatcher(named, stop_words_heard=True)


@dataclass(frozen=True)
class AskedTerms:
    """A question's content terms, and for each term the synonym groups of the names that contain it."""

    terms: tuple[str, ...]
    things: tuple[frozenset[str], ...]

    def covered(self, described: str) -> int:
        """How many of the question's terms a description contains, directly or as synonyms."""
        folded, there = fold(described), things_named(described)
        return sum(
            covers(term, folded) or not things.isdisjoint(there)
            for term, things in zip(self.terms, self.things, strict=True)
        )


def asked_terms(question: str) -> AskedTerms:
    """Terms of ``question`` that a tool's description may contain; content passed to the tool is left out if other
    words remain.

    A word that says nothing about a document ("file") can describe a tool, so it counts here if it belongs to a synonym
    group.
    """
    bare = _GIVEN.sub(" ", question)
    asked = bare if content_terms(bare) else question
    named = _named_by_place(asked)
    things: dict[str, set[str]] = {term: set() for term in content_terms(asked)}
    for place, word in enumerate(words(asked)):
        named_here = named.get(place, set())
        terms = content_terms(word) or ([fold(word)] if any(not each.startswith(FIELD) for each in named_here) else [])
        for term in terms:
            things.setdefault(term, set()).update(named_here)
    return AskedTerms(tuple(things), tuple(map(frozenset, things.values())))


@lru_cache(maxsize=512)
def things_named(text: str) -> frozenset[str]:
    """Synonym groups of the names in a text."""
    return frozenset(thing for things in _named_by_place(text).values() for thing in things)


def _named_by_place(text: str) -> dict[int, set[str]]:
    """By word index, the synonym groups of the names that the word is part of."""
    found: dict[int, set[str]] = {}
    for match in _tool_words().find(text):
        for place in range(match.start, match.end):
            found.setdefault(place, set()).update(match.entries)
    for mention in word_groups.longest(word_groups.mentions(words(text))):
        for place in range(mention.start, mention.end):
            found.setdefault(place, set()).update(f"{FIELD}{group}" for group in mention.groups)
    return found
