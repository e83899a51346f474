"""Decides whether a text is about the subject that a request names."""

from __future__ import annotations

from core.language.expansions import expand
from core.language.fields import figures, named_figures
from core.language.terms import content_terms
from core.question.stems import stem_of


class Subject:
    """A subject in a user's words, with its synonyms.

    >>> Subject("share repurchases").is_in("The Company repurchased shares.")
    True
    """

    def __init__(self, words: str) -> None:
        self.words = words
        self._stems = tuple(dict.fromkeys(_stem(word) for word in content_terms(words)))
        added = [
            *expand(words).added,
            *(line for figure in named_figures(words) for line in figures()[figure.name].lines),
        ]
        self._synonyms = [frozenset(map(_stem, content_terms(phrase))) for phrase in dict.fromkeys(added)]

    def coverage(self, text: str) -> float:
        """Returns the share of the subject's words that ``text`` contains, 0..1; a synonym of the whole counts as
        all."""
        held = frozenset(map(_stem, content_terms(text)))
        if any(phrase and phrase <= held for phrase in self._synonyms):
            return 1.0
        return sum(stem in held for stem in self._stems) / len(self._stems) if self._stems else 0.0

    def is_in(self, text: str) -> bool:
        """Returns whether ``text`` contains the subject: all its words, or most of them if there are more than two."""
        return self.coverage(text) >= (1.0 if len(self._stems) <= 2 else 0.6)


def _stem(word: str) -> str:
    return stem_of(word) or word
