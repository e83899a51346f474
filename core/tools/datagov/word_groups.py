"""Finds the synonym groups that a text mentions, in both languages.

The general groups are those that expand every search; the open data groups add the words of catalogues.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from core.language import expansions, hebrew
from core.language.normalisation import fold
from core.language.phrases import forms, words
from core.language.terms import is_stop_word, stem
from core.language.vocabulary import file_of
from core.words import Language

LEAST_SHARED = 3
"""Minimum number of letters in a form for two words to match by it."""
LEAST_SKELETON = 4
LEAST_STEMMED = 6
"""Minimum number of letters in an English word that is also compared by its stem."""


class GroupMatch(NamedTuple):
    """The words from ``start`` to ``end`` of a text match these synonym groups."""

    start: int
    end: int
    groups: frozenset[int]


class _Phrase(NamedTuple):
    words: tuple[frozenset[str], ...]
    group: int
    capitals: bool


_own_groups = file_of("datagov/expansions", dict[str, list[list[str]]])


@cache
def groups_by_domain() -> dict[str, list[list[str]]]:
    """All synonym groups by domain, the general ones first."""
    own = _own_groups()
    return {key: _joined(domain.groups, own.get(key, [])) for key, domain in expansions.domains().items()}


def _joined(general: Sequence[list[str]], own: Sequence[list[str]]) -> list[list[str]]:
    """The general groups and the open data groups combined: an open data group whose first name is also a general
    group's first name extends that group."""
    groups = [list(group) for group in general]
    by_name = {name: group for group in groups for name in group}
    for group in own:
        if group[0] in by_name:
            by_name[group[0]].extend(group[1:])
        else:
            groups.append(list(group))
    return groups


@cache
def _groups() -> list[tuple[str, list[str]]]:
    return [(domain, group) for domain, groups in groups_by_domain().items() for group in groups]


@cache
def _phrases() -> dict[str, list[_Phrase]]:
    """All names in the groups, by each form of the name's first word."""
    found: dict[str, list[_Phrase]] = defaultdict(list)
    for number, (_, group) in enumerate(_groups()):
        for name in group:
            spoken = words(name)
            phrase = _Phrase(tuple(map(_bare_forms, spoken)), number, all(is_stop_word(fold(word)) for word in spoken))
            for form in phrase.words[0]:
                found[form].append(phrase)
    return found


def _bare_forms(word: str) -> frozenset[str]:
    """A name's word as written, and its stem if that is distinctive."""
    word = fold(word)
    return frozenset({word, *_stem_key(word)})


def _stem_key(word: str) -> list[str]:
    """The stem of a longer English word ("desalinated", "desalination"); short words share their stem with too many."""
    return [f"{stem(word)}-"] if len(word) >= LEAST_STEMMED and word.isascii() and word.isalpha() else []


@cache
def _known_words() -> frozenset[str]:
    """The words of all names, except words that are another known word with a prefix ("water for the house")."""
    known = frozenset(fold(word) for _, group in _groups() for name in group for word in words(name))
    return frozenset(
        word
        for word in known
        if not any(form in known for form in forms(word) if form != word and word.endswith(form) and len(form) > 2)
    )


@lru_cache(maxsize=50_000)
def inflections(word: str) -> frozenset[str]:
    """Known words of which the given word may be a form. A known word is not split into prefix and rest: the Hebrew
    word for "reserve" would otherwise be read as a prefix and the word for "teacher"."""
    if not hebrew.is_hebrew(word):
        return frozenset({*forms(word), *_stem_key(fold(word))})
    own = hebrew.own_forms(word)
    return own if fold(word) in _known_words() else own | frozenset(forms(word))


def asked_keys(word: str) -> frozenset[str]:
    """Keys of a word in a question. It matches a word in a text if the two share a key (``told_keys`` gives the
    text's)."""
    short = (exactly(form) for form in inflections(word) if len(form) < LEAST_SHARED)
    return told_keys(word) | frozenset(short)


@lru_cache(maxsize=50_000)
def told_keys(word: str) -> frozenset[str]:
    """Keys of a word in a text: the word, its longer forms, and the forms without optional vowel letters. Short forms
    are left out: otherwise the Hebrew words for "stage" and "dog" would both match "heart"."""
    long = [form for form in inflections(word) if len(form) >= LEAST_SHARED]
    bare = {hebrew.skeleton(form) for form in long if hebrew.is_hebrew(form) and len(form) > LEAST_SKELETON}
    return frozenset(
        {exactly(word), *long, *(f"~{form}" for form in bare if len(form) >= LEAST_SKELETON), *_derived(word)}
    )


def _derived(word: str) -> list[str]:
    """Words from which the given word is derived by more than an ending."""
    root, man = hebrew.reflexive_root(word), hebrew.masculine(word)
    return [*([f"^{root}"] if root else []), *([man] if man else [])]


def exactly(word: str) -> str:
    """The key that only a word in exactly this form has."""
    return f"={word}"


def mentions(spoken: Sequence[str]) -> list[GroupMatch]:
    """All groups that ``spoken`` names, in any inflection, including names within longer ones."""
    inflected = [inflections(word) for word in spoken]
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for start, first in enumerate(inflected):
        for form in first:
            for phrase in _phrases().get(form, ()):
                end = start + len(phrase.words)
                if end <= len(spoken) and _fits(phrase, spoken[start:end], inflected[start:end]):
                    found[start, end].add(phrase.group)
    for start, (one, next_one) in enumerate(pairwise(spoken)):
        joined = f"{one}{next_one}"  # so that "waste water" matches "wastewater"
        for phrase in _phrases().get(fold(joined), ()) if joined.isascii() and joined.isalpha() else ():
            if len(phrase.words) == 1 and not phrase.capitals:
                found[start, start + 2].add(phrase.group)
    return [GroupMatch(start, end, frozenset(groups)) for (start, end), groups in sorted(found.items())]


def _fits(phrase: _Phrase, spoken: Sequence[str], inflected: Sequence[frozenset[str]]) -> bool:
    if phrase.capitals and not all(word.isupper() or not is_stop_word(fold(word)) for word in spoken):
        return False
    return all(not said.isdisjoint(form) for said, form in zip(phrase.words, inflected, strict=True))


def longest(found: Sequence[GroupMatch]) -> list[GroupMatch]:
    """Of overlapping mentions the longest, of equally long ones the first; in the order of the text."""
    taken: set[int] = set()
    kept = []
    for match in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        places = range(match.start, match.end)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(match)
    return sorted(kept)


def names_of(group: int, language: Language | None = None) -> list[str]:
    """All names in a group, or those in one language."""
    names = _groups()[group][1]
    return names if language is None else [each for each in names if hebrew.is_hebrew(each) == (language == "he")]


def domain_of(group: int) -> str:
    return _groups()[group][0]


@lru_cache(maxsize=4_096)
def others(name: str) -> frozenset[str]:
    """Synonyms of ``name``; the relation is symmetric."""
    spoken = words(name)
    whole = [match for match in mentions(spoken) if match.end - match.start == len(spoken)]
    return frozenset(each for match in whole for group in match.groups for each in names_of(group)) - {name}
