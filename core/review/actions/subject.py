"""Decides whether a text is about the subject that a request names."""

from __future__ import annotations

from collections.abc import Iterable

from core.language.expansions import expand
from core.language.fields import figures, named_figures
from core.language.terms import content_terms
from core.question.stems import stem_of

_MOST_STRICT = 2
"""Up to this number of words, a text must contain all of them."""
_SHARE = 0.6


class Subject:
    """A subject in a user's words, with its synonyms.

    >>> Subject("share repurchases").is_in("The Company repurchased shares.")
    True
    """

    def __init__(self, words: str) -> None:
        self.words = words
        of_words = {word: expand(word).added for word in content_terms(words)}
        self._terms = [(_stem(word), [_stems(phrase) for phrase in added]) for word, added in of_words.items()]
        known = {phrase for added in of_words.values() for phrase in added}
        phrases = [phrase for phrase in expand(words).added if phrase not in known]
        phrases += [line for figure in named_figures(words) for line in figures()[figure.name].lines]
        self._synonyms = [_stems(phrase) for phrase in dict.fromkeys(phrases)]

    def coverage(self, text: str) -> float:
        """Returns the share of the subject's words that ``text`` contains, 0..1; a synonym of the whole counts as
        all."""
        held = _stems(text)
        if any(phrase and phrase <= held for phrase in self._synonyms):
            return 1.0
        met = [stem in held or any(each and each <= held for each in others) for stem, others in self._terms]
        return sum(met) / len(met) if met else 0.0

    def is_in(self, text: str) -> bool:
        """Returns whether ``text`` contains the subject: all its words, or most of them if there are more than two."""
        return self.coverage(text) >= (1.0 if len(self._terms) <= _MOST_STRICT else _SHARE)


def is_about(text: str, subjects: Iterable[Subject]) -> bool:
    """Returns whether ``text`` contains one of the subjects."""
    return any(subject.is_in(text) for subject in subjects)


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(_stem, content_terms(text)))


def _stem(word: str) -> str:
    return stem_of(word) or word
