"""Compares the terms of a claim with a text in another script: words by a lexicon, names by sound, figures by name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.answering.prose.cross_language import cross_language_similarity, is_translatable
from core.language import hebrew
from core.language.entities.facts import prepared
from core.language.fields import named_figures
from core.review.lexicon import Term, terms


@dataclass(frozen=True)
class SharedTerms:
    """What two texts share across scripts: the keys of the first one's terms, and of the second one's."""

    ours: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()


_NONE = SharedTerms()
_CAPITALISED = re.compile(r"\b[A-Z][\w'&]*")


@lru_cache(maxsize=2_000)
def shared_terms(claim: str, text: str) -> SharedTerms:
    """Returns the terms of ``claim`` that ``text`` says in another script, and those of ``text`` that it says so."""
    here, there = terms(claim), terms(text)
    if not _has_both([*here, *there]):
        return _NONE
    names = frozenset(match.group().lower() for match in _CAPITALISED.finditer(prepared(f"{claim} . {text}")))
    pairs = {(one.key, other.key) for one in here for other in there if _are_same(one, other, names)}
    named = {each.name: each.text for each in named_figures(text)}
    for figure in named_figures(claim):
        if figure.name in named and hebrew.is_hebrew(figure.text) != hebrew.is_hebrew(named[figure.name]):
            pairs |= {(one.key, other.key) for one in terms(figure.text) for other in terms(named[figure.name])}
    return SharedTerms(frozenset(one for one, _ in pairs), frozenset(other for _, other in pairs))


def is_unknown(word: str) -> bool:
    """Returns whether a Hebrew word is in no lexicon, so that it may be a name."""
    return hebrew.is_hebrew(word) and not is_translatable(word)


def _has_both(found: list[Term]) -> bool:
    scripts = {hebrew.is_hebrew(term.word) for term in found}
    return len(scripts) > 1


def _are_same(one: Term, other: Term, names: frozenset[str]) -> bool:
    if hebrew.is_hebrew(one.word) == hebrew.is_hebrew(other.word):
        return False
    in_hebrew, in_latin = (one, other) if hebrew.is_hebrew(one.word) else (other, one)
    return cross_language_similarity(in_hebrew.word, in_latin.word, in_latin.word in names) > 0
