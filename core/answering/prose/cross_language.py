"""Scores whether a Hebrew word and a Latin-script word mean the same, 0..1.

Names are compared by sound (a Hebrew "nordvik" is Nordvik); other words are looked up in ``bilingual.yaml`` and
``bilingual_everyday.yaml``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Annotated

from pydantic import BeforeValidator

from core.answering.prose.vocabulary import groups_by_member
from core.language import hebrew
from core.language.entities.calendar_words import MONTHS
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.transliteration import sounds_like
from core.language.vocabulary import Entry, file_of

TRANSLATED = 0.7
"""Weight of a translation relative to the identical word."""
NAMED = 0.9
"""Weight of a name that is written in the other script."""
_LEAST_BY_SOUND = 3
"""Minimum number of consonants to match a name by sound; for a longer word without prefixes, two are enough."""
_LONG = 5
_LEAST_FORM = 3
_MOST_PREFIXES = 2


def _sides(line: str) -> list[list[str]]:
    return [[fold(word.strip()) for word in side.split(",")] for side in line.split("|")]


class _Lexicon(Entry):
    pairs: list[Annotated[tuple[list[str], list[str]], BeforeValidator(_sides)]]


_lexicon = file_of("answering/bilingual", _Lexicon)
_everyday = file_of("answering/bilingual_everyday", _Lexicon)


@cache
def _translation_lines() -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
    """Maps English stems, and forms of Hebrew words, to the indexes of the lines in the file that contain them."""
    lines = list(enumerate((*_lexicon().pairs, *_everyday().pairs, *_month_pairs())))
    english = groups_by_member((number, map(stem, ours)) for number, (ours, _) in lines)
    others = groups_by_member(
        (number, (form for word in theirs for form in _word_forms(word))) for number, (_, theirs) in lines
    )
    return english, others


def _month_pairs() -> Iterator[tuple[list[str], list[str]]]:
    for number in sorted(set(MONTHS.values())):
        names = [name for name, month in MONTHS.items() if month == number]
        yield [each for each in names if not hebrew.is_hebrew(each)], [each for each in names if hebrew.is_hebrew(each)]


def _word_forms(word: str) -> list[str]:
    return [form for form in hebrew.variants(word) if form == word or len(form) >= _LEAST_FORM]


@lru_cache(maxsize=100_000)
def cross_language_similarity(in_hebrew: str, in_latin: str, is_name: bool) -> float:
    """Returns the similarity of two words; both are normalised (folded); ``is_name``: the Latin word is capitalised
    like a name."""
    english, others = _translation_lines()
    lines = english.get(stem(in_latin))
    if lines and any(not lines.isdisjoint(others.get(form, ())) for form in _word_forms(in_hebrew)):
        return TRANSLATED
    return NAMED if is_name and _is_heard(in_hebrew, in_latin) else 0.0


def is_translatable(word: str) -> bool:
    """Returns whether the lexicon has a word of either language, in any form; ``word`` is normalised (folded)."""
    english, others = _translation_lines()
    if hebrew.is_hebrew(word):
        return any(form in others for form in _word_forms(word))
    return stem(word) in english


def _is_heard(in_hebrew: str, in_latin: str) -> bool:
    """Returns whether the Hebrew word, with or without its prefixes, sounds like the Latin one."""
    if len(in_hebrew) >= _LONG and sounds_like(in_hebrew, in_latin) == _LEAST_BY_SOUND - 1:
        return True
    starts = [0]
    while len(starts) <= _MOST_PREFIXES and in_hebrew[starts[-1] : starts[-1] + 1] in tuple(hebrew.PREFIXES):
        starts.append(starts[-1] + 1)
    return any(sounds_like(in_hebrew[start:], in_latin) >= _LEAST_BY_SOUND for start in starts)
