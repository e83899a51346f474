"""Finds place names in a text. The longest name wins, and a Hebrew prefix is removed only if a known place remains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from core.language import hebrew
from core.language.normalisation import fold
from core.language.phrases import words
from core.language.places import Place, find_place, spellings
from core.language.vocabulary import words_of

_MOST_PREFIXES = 2


class PlaceMatch(NamedTuple):
    """A place name, from word ``start`` to word ``end`` of the text."""

    start: int
    end: int
    place: Place


@cache
def _longest_name() -> int:
    return max(len(words(name)) for name in spellings())


@cache
def listed(key: str) -> frozenset[str]:
    """The words of one list in the open data vocabulary."""
    return frozenset(map(fold, words_of(f"datagov/questions.{key}")))


def is_everywhere(place: Place) -> bool:
    """Whether the place is the whole country, which filters nothing."""
    return fold(place.names[0]) in listed("everywhere")


def places_in(spoken: Sequence[str]) -> list[PlaceMatch]:
    """The places in a text, in order; no word belongs to two places."""
    found: list[PlaceMatch] = []
    start = 0
    while start < len(spoken):
        match = _longest_from(spoken, start)
        if match:
            found.append(match)
        start = match.end if match else start + 1
    return found


def _longest_from(spoken: Sequence[str], start: int) -> PlaceMatch | None:
    for length in range(min(_longest_name(), len(spoken) - start), 0, -1):
        span = " ".join(spoken[start : start + length])
        for bare in _without_prefixes(span):
            place = find_place(bare)
            if place is not None and _is_meant(spoken, start, length, bare != span):
                return PlaceMatch(start, start + length, place)
    return None


def _without_prefixes(span: str) -> list[str]:
    """The text as it is, then without one and two Hebrew prefix letters."""
    if not hebrew.is_hebrew(span):
        return [span]
    forms = [span]
    prefixes = listed("place_prefixes")
    while len(forms) <= _MOST_PREFIXES and forms[-1][:1] in prefixes and len(forms[-1].split()[0]) > 2:
        forms.append(forms[-1][1:])
    return forms


def _is_meant(spoken: Sequence[str], start: int, length: int, prefixed: bool) -> bool:
    """Whether a name that is also a common word is meant as a place: after a prefix or a word such as "city", but not
    if another place follows ("the trees in the streets of Haifa")."""
    if length > 1 or not any(form in listed("ambiguous_places") for form in _without_prefixes(fold(spoken[start]))):
        return True
    if start and fold(spoken[start - 1]) in listed("places_follow"):
        return True
    return prefixed and (start + 1 == len(spoken) or _longest_from(spoken, start + 1) is None)


def cell_names(place: Place) -> frozenset[str]:
    """A place's spellings, normalised for comparison with cells."""
    return frozenset(plain_name(name) for name in (place.key, *place.names))


def plain_name(text: str) -> str:
    """A cell's name without hyphens, quotes or double spaces, so that padded and joined cells compare equal."""
    return " ".join(fold(text).replace("-", " ").replace("'", "").replace('"', "").split())
