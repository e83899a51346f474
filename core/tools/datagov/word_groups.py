"""Two ways between names of one thing: *a text* → the groups of names that it mentions, in both languages.

The general names are those that every search expands by; open data add what catalogues call things.
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
"""Letters of a form that makes two words one."""
LEAST_SKELETON = 4
LEAST_STEMMED = 6
"""Letters of an English word that is compared by its stem too."""


class GroupMatch(NamedTuple):
    """Words ``start`` to ``end`` of a text name what these groups name."""

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
    """All groups of names by domain, the general ones first."""
    own = _own_groups()
    return {key: _joined(domain.groups, own.get(key, [])) for key, domain in expansions.domains().items()}


def _joined(general: Sequence[list[str]], own: Sequence[list[str]]) -> list[list[str]]:
    """A group of open data that begins with a name of a general one goes on with it."""
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
    """By every form of their first word."""
    found: dict[str, list[_Phrase]] = defaultdict(list)
    for number, (_, group) in enumerate(_groups()):
        for name in group:
            spoken = words(name)
            phrase = _Phrase(tuple(map(_bare_forms, spoken)), number, all(is_stop_word(fold(word)) for word in spoken))
            for form in phrase.words[0]:
                found[form].append(phrase)
    return found


def _bare_forms(word: str) -> frozenset[str]:
    """A word of a name as it stands, and its stem where that tells enough."""
    word = fold(word)
    return frozenset({word, *_stem_key(word)})


def _stem_key(word: str) -> list[str]:
    """Of a longer English word ("desalinated", "desalination"); a short one shares its stem with too many."""
    return [f"{stem(word)}-"] if len(word) >= LEAST_STEMMED and word.isascii() and word.isalpha() else []


@cache
def _known_words() -> frozenset[str]:
    """The words of all names, without those that are another one behind a prefix ("water for the house")."""
    known = frozenset(fold(word) for _, group in _groups() for name in group for word in words(name))
    return frozenset(
        word
        for word in known
        if not any(form in known for form in forms(word) if form != word and word.endswith(form) and len(form) > 2)
    )


@lru_cache(maxsize=50_000)
def inflections(word: str) -> frozenset[str]:
    """What a word may be a form of. One that is known as it stands has no prefix before it: the first letter of a
    reserve is its own, or it would be a teacher."""
    if not hebrew.is_hebrew(word):
        return frozenset({*forms(word), *_stem_key(fold(word))})
    own = hebrew.own_forms(word)
    return own if fold(word) in _known_words() else own | frozenset(forms(word))


def asked_keys(word: str) -> frozenset[str]:
    """By what a word of a question is compared with those of texts (``told_keys``): they are one if they share any."""
    short = (exactly(form) for form in inflections(word) if len(form) < LEAST_SHARED)
    return told_keys(word) | frozenset(short)


@lru_cache(maxsize=50_000)
def told_keys(word: str) -> frozenset[str]:
    """The word as it stands, its longer forms, and those without the letters that may be written for vowels. Short
    forms are left out: "stage" and "dog" would share the heart."""
    long = [form for form in inflections(word) if len(form) >= LEAST_SHARED]
    bare = {hebrew.skeleton(form) for form in long if hebrew.is_hebrew(form) and len(form) > LEAST_SKELETON}
    return frozenset(
        {exactly(word), *long, *(f"~{form}" for form in bare if len(form) >= LEAST_SKELETON), *_derived(word)}
    )


def _derived(word: str) -> list[str]:
    """Of a word that is derived from another by more than an ending."""
    root, man = hebrew.reflexive_root(word), hebrew.masculine(word)
    return [*([f"^{root}"] if root else []), *([man] if man else [])]


def exactly(word: str) -> str:
    """The key of a word in no other form."""
    return f"={word}"


def mentions(spoken: Sequence[str]) -> list[GroupMatch]:
    """Every group that ``spoken`` names, in any inflection, names within longer ones included."""
    inflected = [inflections(word) for word in spoken]
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for start, first in enumerate(inflected):
        for form in first:
            for phrase in _phrases().get(form, ()):
                end = start + len(phrase.words)
                if end <= len(spoken) and _fits(phrase, spoken[start:end], inflected[start:end]):
                    found[start, end].add(phrase.group)
    for start, (one, next_one) in enumerate(pairwise(spoken)):
        joined = f"{one}{next_one}"  # "waste water" is wastewater
        for phrase in _phrases().get(fold(joined), ()) if joined.isascii() and joined.isalpha() else ():
            if len(phrase.words) == 1 and not phrase.capitals:
                found[start, start + 2].add(phrase.group)
    return [GroupMatch(start, end, frozenset(groups)) for (start, end), groups in sorted(found.items())]


def _fits(phrase: _Phrase, spoken: Sequence[str], inflected: Sequence[frozenset[str]]) -> bool:
    if phrase.capitals and not all(word.isupper() or not is_stop_word(fold(word)) for word in spoken):
        return False
    return all(not said.isdisjoint(form) for said, form in zip(phrase.words, inflected, strict=True))


def longest(found: Sequence[GroupMatch]) -> list[GroupMatch]:
    """Of mentions that share a word the longest, of equals the first; in the order of the text."""
    taken: set[int] = set()
    kept = []
    for match in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        places = range(match.start, match.end)
        if taken.isdisjoint(places):
            taken.update(places)
            kept.append(match)
    return sorted(kept)


def names_of(group: int, language: Language | None = None) -> list[str]:
    """All names of a group, or those in one language."""
    names = _groups()[group][1]
    return names if language is None else [each for each in names if hebrew.is_hebrew(each) == (language == "he")]


def domain_of(group: int) -> str:
    return _groups()[group][0]


@lru_cache(maxsize=4_096)
def others(name: str) -> frozenset[str]:
    """What else the thing called ``name`` is called; the way back is the same."""
    spoken = words(name)
    whole = [match for match in mentions(spoken) if match.end - match.start == len(spoken)]
    return frozenset(each for match in whole for group in match.groups for each in names_of(group)) - {name}
