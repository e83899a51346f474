"""What people said of passages for this very question, as far as a first line minds it: evidence → what words it reads.

A figure that is looked up or worked out follows from tables and statements, whatever was said. A sentence of running
text is chosen because it is worded like the question; that a person tried it and it failed is better evidence than its
wording, and that another one helped is too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.answering.records import Candidate, Evidence
from core.events import Source


@dataclass(frozen=True)
class PastOutcomes:
    """Ids of passages that are known to have answered this very question, and of those known not to have."""

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
        """Without the texts that failed, where there are others."""
        texts = tuple(each for each in evidence.texts if each.item_id not in self.failed)
        return replace(evidence, texts=texts) if texts else evidence

    def answering(self, candidates: Sequence[Candidate], near: Collection[str]) -> list[Candidate]:
        """Of what texts say, only what stands in those that answered before, where there are any; where some failed,
        nothing of those that only come ``near``: another guess is no answer."""
        if self.answered:
            return [each for each in candidates if self.answered & _rests_on(each)]
        return [each for each in candidates if not self.failed or _rests_on(each).isdisjoint(near)]


def _rests_on(candidate: Candidate) -> set[str]:
    return {cell.item_id for cell in candidate.answer.cells}


NOTHING = PastOutcomes()
