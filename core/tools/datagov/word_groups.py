"""Two ways between names of one thing: *a text* → the groups of names that it mentions, in both languages.

The general names are those that every search expands by; open data add what catalogues call things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pydantic import RootModel

from core.language import expansions
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.phrases import forms, words
from core.language.terms import is_stop_word
from core.language.vocabulary import read_vocabulary
from core.words import Language


class _Groups(RootModel[dict[str, list[list[str]]]]):
    pass


class GroupMatch(NamedTuple):
    """Words ``start`` to ``end`` of a text name what these groups name."""

    start: int
    end: int
    groups: frozenset[int]


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    group: int
    capitals: bool


@cache
def groups_by_domain() -> dict[str, list[list[str]]]:
    """All groups of names by domain, the general ones first."""
    own = _Groups.model_validate(read_vocabulary("datagov/expansions")).root
    return {key: [*domain.groups, *own.get(key, [])] for key, domain in expansions.domains().items()}


@cache
def _groups() -> list[tuple[str, list[str]]]:
    return [(domain, group) for domain, groups in groups_by_domain().items() for group in groups]


@cache
def _phrases() -> dict[str, list[_Phrase]]:
    """By their first word, the longest first."""
    found: dict[str, list[_Phrase]] = defaultdict(list)
    for number, (_, group) in enumerate(_groups()):
        for name in group:
            phrase = tuple(map(fold, words(name)))
            capitals = all(map(is_stop_word, phrase))
            found[phrase[0]].append(_Phrase(phrase, number, capitals))
    for each in found.values():
        each.sort(key=lambda phrase: -len(phrase.words))
    return found


def mentions(spoken: Sequence[str]) -> list[GroupMatch]:
    """Every group that ``spoken`` names, in any inflection, names within longer ones included."""
    inflected = [frozenset(forms(word)) for word in spoken]
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for start, first in enumerate(inflected):
        for form in first:
            for phrase in _phrases().get(form, ()):
                end = start + len(phrase.words)
                if end <= len(spoken) and _fits(phrase, spoken[start:end], inflected[start:end]):
                    found[start, end].add(phrase.group)
    return [GroupMatch(start, end, frozenset(groups)) for (start, end), groups in sorted(found.items())]


def _fits(phrase: _Phrase, spoken: Sequence[str], inflected: Sequence[frozenset[str]]) -> bool:
    if phrase.capitals and not all(word.isupper() for word in spoken):
        return False
    return all(word in form for word, form in zip(phrase.words, inflected, strict=True))


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
    return names if language is None else [each for each in names if is_hebrew(each) == (language == "he")]


def domain_of(group: int) -> str:
    return _groups()[group][0]


@lru_cache(maxsize=4_096)
def others(name: str) -> frozenset[str]:
    """What else the thing called ``name`` is called; the way back is the same."""
    spoken = words(name)
    whole = [match for match in mentions(spoken) if match.end - match.start == len(spoken)]
    return frozenset(each for match in whole for group in match.groups for each in names_of(group)) - {name}
