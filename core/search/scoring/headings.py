"""How far the headings above a passage say what a question asks: section path → 0..1.

Whoever wrote a document named its sections for what they answer: a heading wholly made of words of the question,
or of other names for them, says more than the same words in running text.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from core.language.terms import content_terms, stem
from core.language.vocabulary import pattern_of

NEAREST = 2
"""Headings that are looked at: the section's own and the one above it, which counts half."""
_NUMBER = pattern_of("search/scoring.headings.number")


def heading_share(asked: Collection[str], path: Sequence[str]) -> float:
    """``asked`` are stems of the question and of what its words are also called; the share of a heading that they
    make up."""
    best = 0.0
    for distance, title in enumerate(reversed(path[-NEAREST:])):
        stems = _stems(title)
        if stems:
            best = max(best, sum(each in asked for each in stems) / len(stems) / (1 + distance))
    return best


@lru_cache(maxsize=20_000)
def _stems(title: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(stem, content_terms(_NUMBER.sub("", title)))))
