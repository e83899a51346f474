"""Removes the effect of user feedback from search results: sorts sources by relevance only.

Feedback changes the order of results. But whether the user is asked which document is meant, and which tables are read
for a figure, must follow from the evidence and not change because of feedback.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Passage, Source


def relevance_of(passage: Passage) -> float:
    """Returns the passage's score without the effect of feedback."""
    return passage.score / passage.outcomes if passage.outcomes > 0 else passage.score


def without_outcomes(sources: Sequence[Source]) -> list[Source]:
    """Returns ``sources`` with relevance scores, sorted by them; each keeps its number."""
    plain = [_unlearned(each) for each in sources]
    if plain == list(sources):
        return plain
    return sorted(plain, key=lambda each: (all(passage.near for passage in each.passages), -each.score))


def _unlearned(source: Source) -> Source:
    if all(each.outcomes == 1.0 and each.precedence == 0 for each in source.passages):
        return source
    passages = [
        each.model_copy(update={"score": relevance_of(each), "outcomes": 1.0, "precedence": 0})
        for each in source.passages
    ]
    return source.model_copy(update={"passages": passages, "score": max(each.score for each in passages)})
