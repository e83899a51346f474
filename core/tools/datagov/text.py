"""A text as questions are compared with it, and how well it says what a question is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from core.language.normalisation import fold
from core.language.phrases import forms, words
from core.language.terms import is_stop_word
from core.tools.datagov.decomposition import Unit
from core.tools.datagov.word_groups import GroupMatch, mentions

SAME, INFLECTED, OTHER_NAME, PARTLY = 1.0, 0.95, 0.85, 0.5
"""How far a text says a unit: in the same word, in another form, under another name, or only some of its words."""
LEAST_SHARED = 3
"""Letters of a form that two words may share."""


@dataclass(frozen=True)
class Text:
    """``word_forms``: of each word, what it may be an inflection of; ``telling``: the places of words that say
    something; ``named``: what it names and where; ``forms`` and ``groups`` are all of these."""

    words: tuple[str, ...] = ()
    word_forms: tuple[frozenset[str], ...] = ()
    telling: frozenset[int] = frozenset()
    named: tuple[GroupMatch, ...] = ()
    forms: frozenset[str] = frozenset()
    groups: frozenset[int] = frozenset()


def text_of(*parts: str) -> Text:
    """Several texts as one; no name reaches from one into the next."""
    spoken: list[str] = []
    word_forms: list[frozenset[str]] = []
    telling: set[int] = set()
    named: list[GroupMatch] = []
    for read in (_read(part) for part in parts if part):
        start = len(spoken)
        spoken += read.words
        word_forms += read.word_forms
        telling |= {start + place for place in read.telling}
        named += [GroupMatch(start + each.start, start + each.end, each.groups) for each in read.named]
    return Text(
        tuple(spoken),
        tuple(word_forms),
        frozenset(telling),
        tuple(named),
        frozenset(form for place in telling for form in word_forms[place]),
        frozenset(group for each in named for group in each.groups),
    )


@lru_cache(maxsize=20_000)
def _read(part: str) -> Text:
    spoken = words(part.replace("_", " "))
    folded = tuple(map(fold, spoken))
    telling = frozenset(place for place, word in enumerate(folded) if len(word) > 1 and not is_stop_word(word))
    return Text(folded, tuple(frozenset(forms(word)) for word in folded), telling, tuple(mentions(spoken)))


def strength(unit: Unit, text: Text, *, grouped: bool = True) -> float:
    """0..1: how far ``text`` says ``unit``; ``grouped``: whether under another name counts."""
    said = [_word_strength(word, each, text) for word, each in zip(unit.words, unit.forms, strict=True)]
    whole = min(said)
    if whole < OTHER_NAME and grouped and unit.groups & text.groups:
        return OTHER_NAME
    return whole or PARTLY * sum(said) / len(said)


def _word_strength(word: str, inflected: frozenset[str], text: Text) -> float:
    if word in text.words:
        return SAME
    return INFLECTED if any(shared(form, word) for form in inflected & text.forms) else 0.0


def shared(form: str, word: str) -> bool:
    """Whether a form that two words share makes them one: a short one is what many words have in common."""
    return len(form) >= LEAST_SHARED or form == word


def covered(units: tuple[Unit, ...], text: Text, *, grouped: bool = True) -> frozenset[int]:
    """The places of those words of ``text`` that some unit accounts for."""
    places: set[int] = set()
    for unit in units:
        for word, inflected in zip(unit.words, unit.forms, strict=True):
            places |= {
                place
                for place in text.telling
                if text.words[place] == word or any(shared(form, word) for form in inflected & text.word_forms[place])
            }
        if grouped:
            for match in text.named:
                if match.groups & unit.groups:
                    places |= set(range(match.start, match.end))
    return frozenset(places & text.telling)
