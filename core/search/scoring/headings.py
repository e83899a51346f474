"""Scores how well the headings above a passage match a question: takes the headings; returns 0..1.

Authors name sections after their content: a heading made only of the question's words, or of their synonyms, is better
evidence than the same words in running text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from core.language.terms import content_terms, stem
from core.language.vocabulary import pattern_of

NEAREST = 2
"""Number of headings that are used: the section's own and the one above it, which counts half."""
_NUMBER = pattern_of("search/scoring.headings.number")


def heading_share(asked: Collection[str], path: Sequence[str]) -> float:
    """Returns the share of a heading that consists of ``asked``, the stems of the question and of synonyms."""
    best = 0.0
    for distance, title in enumerate(reversed(path[-NEAREST:])):
        stems = _stems(title)
        if stems:
            best = max(best, sum(each in asked for each in stems) / len(stems) / (1 + distance))
    return best


@lru_cache(maxsize=20_000)
def _stems(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(stem, content_terms(_NUMBER.sub("", title)))))
