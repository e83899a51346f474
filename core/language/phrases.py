"""Finds phrases in a text: takes phrases, each with entries; returns the entries of those found, longest first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Generic, NamedTuple, TypeVar

from core.language import hebrew
from core.language.normalisation import fold, normalise
from core.language.terms import is_stop_word

Entry = TypeVar("Entry")

WORD = re.compile(r"[^\W_]+(?:[\"'&./+-][^\W_]+)*'?")
_MOST_FORMS = 64


class PhraseMatch(NamedTuple, Generic[Entry]):
    """A phrase found in a text; ``start`` and ``end`` are word positions."""

    start: int
    end: int
    entries: list[Entry]


class PhraseMatcher(Generic[Entry]):
    """Looks up phrases word by word in any inflection; if several start at one word, the longest is used.

    A phrase that consists only of stop words ("IT") matches only in capitals, unless ``stop_words_heard`` is set.
    """

    def __init__(self, table: Iterable[tuple[str, Entry]], *, stop_words_heard: bool = False) -> None:
        self._entries: dict[tuple[str, ...], list[Entry]] = {}
        self._capitals: set[tuple[str, ...]] = set()
        for text, entry in table:
            phrase = tuple(map(fold, words(text)))
            self._entries.setdefault(phrase, []).append(entry)
            if not stop_words_heard and all(map(is_stop_word, phrase)):
                self._capitals.add(phrase)
        self._longest: dict[str, int] = {}
        for phrase in filter(None, self._entries):
            self._longest[phrase[0]] = max(len(phrase), self._longest.get(phrase[0], 0))

    def find(self, text: str) -> list[PhraseMatch[Entry]]:
        """Returns matches in text order, without overlaps."""
        spoken = words(text)
        found: list[PhraseMatch[Entry]] = []
        start = 0
        while start < len(spoken):
            match = self._longest_from(spoken, start)
            if match:
                found.append(match)
            start = match.end if match else start + 1
        return found

    def _longest_from(self, spoken: list[str], start: int) -> PhraseMatch[Entry] | None:
        longest = max((self._longest.get(form, 0) for form in forms(spoken[start])), default=0)
        for length in range(min(longest, len(spoken) - start), 0, -1):
            span = spoken[start : start + length]
            for count, phrase in enumerate(product(*map(forms, span))):
                entries = self._entries.get(phrase)
                if entries and (phrase not in self._capitals or all(word.isupper() for word in span)):
                    return PhraseMatch(start, start + length, entries)
                if count > _MOST_FORMS:
                    break
        return None


def words(text: str) -> list[str]:
    """Returns a text's words in the form for comparison; splits at hyphens."""
    return WORD.findall(normalise(text).replace("-", " "))


@lru_cache(maxsize=50_000)
def forms(word: str) -> tuple[str, ...]:
    """Returns forms of the word to look up in a table: the word, its singular and, in Hebrew, the word without
    prefixes.

    Stems are not used, since different words can have the same one: "universe" and "university".
    """
    word = fold(word)
    if hebrew.is_hebrew(word):
        return hebrew.variants(word)
    endings = (("ies", "y"), ("es", ""), ("s", ""), ("'s", ""))
    singulars = [word.removesuffix(plural) + end for plural, end in endings if word.endswith(plural)]
    return (word, *(form for form in singulars if len(form) > 1 and not word.endswith("ss")))
