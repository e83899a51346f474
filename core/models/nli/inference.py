"""What a premise says of a hypothesis: *pairs of texts* → probabilities of entailment, neutrality and contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

Pair = tuple[str, str]
"""Premise and hypothesis."""


class Inference(NamedTuple):
    """Probabilities, together 1."""

    entailment: float
    neutral: float
    contradiction: float


class NaturalLanguageInference(Protocol):
    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        """One a pair, in order. Raises ``PalimpsestError``: there is no model to ask, or it is too slow."""


@dataclass(frozen=True)
class InferenceJudge:
    """``threshold`` is the probability from which the model is believed; below it nothing is decided."""

    model: NaturalLanguageInference
    threshold: float

    async def judge(self, premises: Sequence[Sequence[str]], hypotheses: Sequence[str]) -> list[int]:
        """Of each hypothesis: the place of the premise that says it, from 1; of that which denies it, negative; 0 where
        none is sure, or where one says what another denies.

        Raises:
            PalimpsestError: what the model raises.
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
