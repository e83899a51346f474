"""Measures how well a text covers a unit (a word or a name) of a question."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.language.normalisation import fold
from core.language.phrases import words
from core.tools.datagov.decomposition import Unit, says_nothing
from core.tools.datagov.word_groups import GroupMatch, exactly, mentions, told_keys

SAME, INFLECTED, OTHER_NAME, PARTLY = 1.0, 0.95, 0.85, 0.5
"""Strength of a match by its type: the same word, another form, a synonym, or only some of the unit's words."""


@dataclass(frozen=True)
class Text:
    """A text. ``word_keys``: each word's forms for comparison. ``telling``: indices of content words. ``named``:
    synonym groups with their positions. ``keys`` and ``groups`` are the sets of all of these."""

    words: tuple[str, ...] = ()
    word_keys: tuple[frozenset[str], ...] = ()
    telling: frozenset[int] = frozenset()
    named: tuple[GroupMatch, ...] = ()
    keys: frozenset[str] = frozenset()
    groups: frozenset[int] = frozenset()


def text_of(*parts: str) -> Text:
    """Several texts combined as one; a name never spans two of them."""
    spoken: list[str] = []
    word_keys: list[frozenset[str]] = []
    telling: set[int] = set()
    named: list[GroupMatch] = []
    for read in (_read(part) for part in parts if part):
        start = len(spoken)
        spoken += read.words
        word_keys += read.word_keys
        telling |= {start + place for place in read.telling}
        named += [GroupMatch(start + each.start, start + each.end, each.groups) for each in read.named]
    return Text(
        tuple(spoken),
        tuple(word_keys),
        frozenset(telling),
        tuple(named),
        frozenset(key for place in telling for key in word_keys[place]),
        frozenset(group for each in named for group in each.groups),
    )


@lru_cache(maxsize=20_000)
def _read(part: str) -> Text:
    spoken = words(part.replace("_", " "))
    folded = tuple(map(fold, spoken))
    telling = frozenset(place for place, word in enumerate(folded) if not says_nothing(word))
    return Text(folded, tuple(map(told_keys, folded)), telling, tuple(mentions(spoken)))


def strength(unit: Unit, text: Text, *, grouped: bool = True) -> float:
    """How well ``text`` covers ``unit``, 0..1; ``grouped``: whether synonyms count."""
    said = [_word_strength(word, keys, text) for word, keys in zip(unit.words, unit.keys, strict=True)]
    whole = min(said)
    if whole < OTHER_NAME and grouped and unit.groups & text.groups:
        return OTHER_NAME
    part = 1.0 if grouped and unit.parts & text.groups else sum(said) / len(said)
    return whole or PARTLY * part


def _word_strength(word: str, keys: frozenset[str], text: Text) -> float:
    if exactly(word) in text.keys:
        return SAME
    return 0.0 if keys.isdisjoint(text.keys) else INFLECTED


def covered(units: tuple[Unit, ...], text: Text, *, grouped: bool = True) -> frozenset[int]:
    """Indices of the words of ``text`` that some unit covers."""
    asked = frozenset(key for unit in units for keys in unit.keys for key in keys)
    places = {place for place in text.telling if not asked.isdisjoint(text.word_keys[place])}
    if grouped:
        groups = frozenset(group for unit in units for group in unit.groups)
        for match in text.named:
            if match.groups & groups:
                places |= set(range(match.start, match.end))
    return frozenset(places & text.telling)
