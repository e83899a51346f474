"""Applies user feedback on passages, for the same question, to the choice of a direct answer.

A figure that is looked up or calculated follows from its table, whatever the feedback was. A sentence of running text
is chosen only because its wording resembles the question, so feedback that it failed, or that another one helped, is
better evidence than wording.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.events import Source
from core.figures.records import Candidate, Evidence


@dataclass(frozen=True)
class PastOutcomes:
    """Ids of passages that are known to have answered this question (``answered``), and known not to have
    (``failed``)."""

    answered: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()

    @classmethod
    def of(cls, sources: Sequence[Source]) -> PastOutcomes:
        passages = [passage for source in sources for passage in source.passages]
        return cls(
            frozenset(each.item_id for each in passages if each.precedence > 0),
            frozenset(each.item_id for each in passages if each.precedence < 0),
        )

    def readable(self, evidence: Evidence) -> Evidence:
        """Removes the texts that failed to answer this question, if others remain."""
        texts = tuple(each for each in evidence.texts if each.item_id not in self.failed)
        return replace(evidence, texts=texts) if texts else evidence

    def answering(self, candidates: Sequence[Candidate], near: Collection[str]) -> list[Candidate]:
        """Keeps only candidates from passages that answered before, if there are any. If some failed, drops candidates
        from ``near`` (loosely related) passages, which would be another guess."""
        if self.answered:
            return [each for each in candidates if self.answered & _rests_on(each)]
        return [each for each in candidates if not self.failed or _rests_on(each).isdisjoint(near)]


def _rests_on(candidate: Candidate) -> set[str]:
    return {cell.item_id for cell in candidate.answer.cells}


NOTHING = PastOutcomes()
