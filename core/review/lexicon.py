"""Maps the words of a sentence to comparable terms, using a lexicon.

Synonyms are one term ("bought back", "repurchased"); all other words are compared by stem, in Hebrew by root.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from core.language import hebrew, stance
from core.language.cache_sizes import TEXTS, WORDS
from core.language.entities.calendar_words import is_year
from core.language.entities.dates import dates_in, without_dates
from core.language.entities.facts import prepared
from core.language.entities.numerals import ADVERBS, CURRENCIES, LENGTHS, MULTIPLIERS, ORDINALS, PAIRS, UNITS, VALUES
from core.language.hebrew import AND, FROM, PREFIXES, TO_FINAL
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import Entry, WordSet, file_of, phrase_of
from core.review.polarity import REPORTING, base, matches_any

_OBJECT_LETTERS = phrase_of("grounding/patterns.lexicon.objects")
_TOKEN = re.compile(r"[^\W_]+(?:[\"'&][^\W_]+)*")
_LONGEST = 4
_MARKS: tuple[stance.Sort, ...] = ("hedges", "universals", "causes", "about", "below", "above")
"""Kinds of words that are compared separately and are not terms."""
_MONEY = CURRENCIES | {"percent", "cent"}
_SHORTEST = 5
"""Minimum letters of a word that a prefix may negate."""


class _Concepts(Entry):
    concepts: dict[str, str]
    opposites: list[tuple[str, str]]
    paired: frozenset[str]
    prefixes: str
    light_concepts: list[str]
    light: WordSet


_data = file_of("concepts", _Concepts)


@dataclass(frozen=True)
class Term:
    """A term; ``key``: what is compared, a concept (``=rise``), a year or the base of ``word``; ``start`` to ``end``:
    its position in the folded text."""

    key: str
    word: str
    start: int
    end: int

    @property
    def is_concept(self) -> bool:
        return self.key.startswith("=")


@cache
def _concept_phrases() -> tuple[dict[tuple[str, ...], str], dict[tuple[str, ...], str]]:
    """Returns concepts by the exact words of their phrases, and by their stems; the first line wins."""
    exact: dict[tuple[str, ...], str] = {}
    stems: dict[tuple[str, ...], str] = {}
    for name, phrases in _data().concepts.items():
        for phrase in phrases.split(","):
            words = tuple(_TOKEN.findall(fold(phrase)))
            exact.setdefault(words, f"={name}")
            stems.setdefault(tuple(map(base, words)), f"={name}")
    return exact, stems


@cache
def _first_words() -> frozenset[str]:
    """Returns the first words of concept phrases, and their stems."""
    return frozenset(words[0] for phrases in _concept_phrases() for words in phrases)


@cache
def _light() -> frozenset[str]:
    single_words = [
        word for sort in _MARKS for phrase in stance.phrases(sort) for word in phrase.split() if " " not in phrase
    ]
    counted = [*MULTIPLIERS, *(VALUES.keys() - ORDINALS), *(word for word, unit in UNITS.items() if unit in _MONEY)]
    words = frozenset(base(word) for word in [*_data().light, *single_words, *counted])
    return words | {f"={name}" for name in _data().light_concepts}


@cache
def _excluding() -> frozenset[tuple[str, str]]:
    """Returns pairs of concepts that exclude each other, in both orders."""
    return frozenset((f"={one}", f"={other}") for pair in _data().opposites for one, other in (pair, pair[::-1]))


@lru_cache(maxsize=TEXTS)
def terms(text: str) -> tuple[Term, ...]:
    """Returns the terms of ``text`` in order: content words and years; no other numbers, and no dates."""
    return _terms(text)


def _terms(text: str) -> tuple[Term, ...]:
    plain = prepared(text)
    return tuple(_term_sequence(without_dates(plain, dates_in(plain)).lower()))


def _term_sequence(text: str) -> Iterator[Term]:
    passed = [span for sort in _MARKS[2:] for span in stance.marks(text, sort) if " " in text[slice(*span)]]
    tokens = [
        (match.group().removesuffix("'s"), match.start(), match.end())
        for match in _TOKEN.finditer(text)
        if not any(start <= match.start() < end for start, end in passed)
    ]
    place = 0
    while place < len(tokens):
        length, concept = _concept([word for word, _, _ in tokens[place : place + _LONGEST]])
        word, start, end = tokens[place]
        if concept:
            if concept not in _light():
                yield Term(concept, word, start, tokens[place + length - 1][2])
            place += length
            continue
        before = tokens[place - 1][0] if place else ""
        place += 1
        if (
            word in PAIRS
            or word in ADVERBS
            or (word in UNITS and (before[:1].isdigit() or before in _counting_words()))
        ):
            continue
        after = tokens[place][0] if place < len(tokens) else ""
        is_dated = is_year(word) and all(UNITS.get(beside, "year") == "year" for beside in (before, after))
        if is_dated or (len(word) > 1 and not word[0].isdigit() and not _is_empty(word)):
            yield Term(base(word), word, start, end)


@cache
def _counting_words() -> frozenset[str]:
    """Returns words that are used before a unit."""
    return LENGTHS | frozenset([*(VALUES.keys() - ORDINALS), *MULTIPLIERS, "working", "business"])


def _is_empty(word: str) -> bool:
    if is_stop_word(word) or word in REPORTING or base(word) in _light():
        return True
    rest = word[1:]
    if word[0] == AND and len(word) > 2 and (is_stop_word(rest) or rest in _light()):
        return True
    return word[0] in PREFIXES and rest in VALUES and (rest not in ORDINALS or (word[0] == FROM and VALUES[rest] < 1))


def _concept(words: list[str]) -> tuple[int, str]:
    """Returns how many of ``words`` name a concept, and which; the longest phrase counts."""
    if _first_words().isdisjoint((words[0], base(words[0]))) and not hebrew.is_hebrew(words[0]):
        return 0, ""
    exact, stems = _concept_phrases()
    for length in range(len(words), 0, -1):
        phrase = tuple(words[:length])
        found = exact.get(phrase)
        if not found and not (length == 1 and phrase[0].removesuffix("'s") in UNITS):
            found = stems.get(tuple(map(base, phrase)))
        if not found and hebrew.is_hebrew(phrase[0]):
            found = _behind_prefix(phrase, exact)
        if found and not (length == 1 and is_stop_word(phrase[0]) and phrase not in exact):
            return length, found
    return 0, ""


def _behind_prefix(phrase: tuple[str, ...], exact: dict[tuple[str, ...], str]) -> str:
    for cut in (1, 2):
        if len(phrase[0]) - cut >= 3 and all(letter in PREFIXES for letter in phrase[0][:cut]):
            found = exact.get((phrase[0][cut:], *phrase[1:]))
            if found or (len(phrase) == 1 and (found := _without_object(phrase[0][cut:], exact))):
                return found
    return _without_object(phrase[0], exact) if len(phrase) == 1 else ""


def _without_object(word: str, exact: dict[tuple[str, ...], str]) -> str:
    """Returns the concept of a Hebrew verb with a joined object: "to-end-it" is "to-end"."""
    if len(word) < _SHORTEST or word[-1] not in _OBJECT_LETTERS:
        return ""
    return exact.get((word[:-2] + word[-2].translate(TO_FINAL),), "")


@lru_cache(maxsize=TEXTS)
def keys(text: str) -> frozenset[str]:
    """Returns the keys of all terms of ``text``; also the Hebrew words themselves, since no list has all their
    forms."""
    return _keys(terms(text))


@lru_cache(maxsize=WORDS)
def word_keys(word: str) -> frozenset[str]:
    """Returns the keys of a single word; cached separately, so that words do not displace texts in the cache."""
    return _keys(_terms(word))


def _keys(found: tuple[Term, ...]) -> frozenset[str]:
    return frozenset(term.key for term in found) | {term.word for term in found if hebrew.is_hebrew(term.word)}


def is_held(term: Term, held: frozenset[str]) -> bool:
    """Returns whether ``term`` is among the keys ``held``, in any form."""
    if term.key in held:
        return True
    return (
        hebrew.is_hebrew(term.word) and matches_any(term.word, held) if term.is_concept else matches_any(term.key, held)
    )


def opposed(term: Term, held: frozenset[str]) -> str | None:
    """Returns a key of ``held`` that excludes ``term``, if ``term`` itself is not in ``held``."""
    if is_held(term, held):
        return None
    if term.is_concept and (found := next((key for key in held if (term.key, key) in _excluding()), None)):
        return found
    return _negated(term.word, held)


def ambivalent(term: Term, held: frozenset[str]) -> bool:
    """Returns whether ``held`` contains something that excludes ``term``; "before" and "after" may be used together."""
    if not term.is_concept or term.key[1:] in _data().paired:
        return False
    return any((term.key, key) in _excluding() for key in held)


def _negated(word: str, held: frozenset[str]) -> str | None:
    """Returns the same word with or without a negating prefix: secured, unsecured."""
    if not word.isascii() or len(word) < _SHORTEST:
        return None
    for prefix in _data().prefixes.split():
        if (denied := _concept_key(prefix + word)) in held:
            return denied
        bare = word.removeprefix(prefix)
        if bare != word and len(bare) >= _SHORTEST and _concept_key(bare) in held:
            return _concept_key(bare)
    return None


@lru_cache(maxsize=WORDS)
def _concept_key(word: str) -> str:
    return _concept([word])[1] or base(word)
