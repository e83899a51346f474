"""What was found, as it was before anything was learned of it: sources → the same by relevance alone.

What outcomes teach orders what is shown. Whether a person is asked which document is meant, and what tables are read
for a figure, follows from the evidence and must not change because somebody said how an answer did.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.events import Passage, Source


def relevance_of(passage: Passage) -> float:
    """Its score without what outcomes made of it."""
    return passage.score / passage.outcomes if passage.outcomes > 0 else passage.score


def without_outcomes(sources: Sequence[Source]) -> list[Source]:
    """``sources`` with scores of relevance, in that order; each keeps its number."""
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
