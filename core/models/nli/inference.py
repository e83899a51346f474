"""Defines natural language inference: *pairs of texts* → probabilities of entailment, neutrality and contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Pair = tuple[str, str]
"""Premise and hypothesis, both as text."""


class Inference(NamedTuple):
    """Probabilities that sum to 1."""

    entailment: float
    neutral: float
    contradiction: float


class NaturalLanguageInference(Protocol):
    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        """One result per pair, in order. Raises ``PalimpsestError`` if no model is available or it is too slow."""


@dataclass(frozen=True)
class InferenceJudge:
    """Decides with an inference model; a result with a probability below ``threshold`` counts as undecided."""

    model: NaturalLanguageInference
    threshold: float

    async def judge(self, premises: Sequence[Sequence[str]], hypotheses: Sequence[str]) -> list[int]:
        """For each hypothesis: the number of the premise that entails it, counted from 1, or the negative number of the
        premise that contradicts it. 0 if none is certain, or if one entails it and another contradicts it.

        Raises:
            PalimpsestError: the same errors as the model.
        """
        pairs = [(each, hypothesis) for texts, hypothesis in zip(premises, hypotheses, strict=True) for each in texts]
        found = iter(await self.model.infer(pairs) if pairs else [])
        return [self._decided([next(found) for _ in texts]) for texts in premises]

    def _decided(self, found: Sequence[Inference]) -> int:
        says = [place for place, each in enumerate(found, start=1) if each.entailment >= self.threshold]
        denies = [place for place, each in enumerate(found, start=1) if each.contradiction >= self.threshold]
        if bool(says) == bool(denies):
            return 0
        if says:
            return max(says, key=lambda place: found[place - 1].entailment)
        return -max(denies, key=lambda place: found[place - 1].contradiction)
