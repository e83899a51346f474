"""The outcome detector: a model reads a conversation for signs of success or failure [spec O3; 001 §3.6.1].

There is no stand-in by rules: without a model, or without a readable verdict, the outcome is unknown.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field

from core.prompts.templates import Prompts
from core.settings import Memory
from core.store.items import Outcome

log = logging.getLogger(__name__)

LEAST_TURNS = 2
LONGEST = 500
"""Characters of a message that the detector reads."""


class Spoken(BaseModel):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: str


class Verdict(BaseModel):
    """Bare JSON of this very form is all that a model may answer."""

    model_config = ConfigDict(extra="forbid", strict=True)

    outcome: Outcome
    confidence: float = Field(ge=0, le=1)
    indicators: list[str]
    reasoning: str


UNKNOWN = Verdict(outcome="unknown", confidence=0.0, indicators=[], reasoning="")


class Judge(Protocol):
    """A model that answers with a verdict; ``None`` when it could not be read twice."""

    async def judge(self, prompt: str) -> Verdict | None: ...


class OutcomeDetector:
    def __init__(self, judge: Judge | None, prompts: Prompts, settings: Memory) -> None:
        self._judge = judge
        self._prompts = prompts
        self._settings = settings

    def due(self, turns: int, *, ended: bool = False) -> bool:
        """Every few turns, and when a conversation ends; ``turns`` counts its answers."""
        enough = turns >= LEAST_TURNS
        return self._judge is not None and enough and (ended or turns % self._settings.detector_turns == 0)

    async def detect(self, conversation: Sequence[Spoken]) -> Verdict:
        """How the last answer did, as far as the conversation shows it. Never raises."""
        answers = sum(each.role == "assistant" for each in conversation)
        if self._judge is None or answers < LEAST_TURNS:
            return UNKNOWN
        cut = [each.model_copy(update={"text": each.text[:LONGEST]}) for each in conversation]
        prompt = self._prompts.render("outcome_detector", messages=cut)
        try:
            verdict = await self._judge.judge(prompt)
        except Exception:
            log.warning("an outcome was not detected", exc_info=True)
            verdict = None
        return verdict or UNKNOWN

    def counts(self, verdict: Verdict) -> bool:
        """Whether it is sure enough to be applied."""
        return verdict.outcome != "unknown" and verdict.confidence > self._settings.detector_confidence
