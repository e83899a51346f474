"""Detects outcomes: a model reads a conversation for signs of success or failure.

There is no rule-based fallback: without a model, or without a readable verdict, the outcome is unknown.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel, Field

from core.models.chat import ChatModels
from core.models.structured import Prompt, PurposeModel, ask_json
from core.prompts.templates import Prompts
from core.setting_groups import Memory
from core.store.items import Outcome

log = logging.getLogger(__name__)

LEAST_TURNS = 2
LONGEST = 500
"""Maximum number of characters of a message that the detector reads."""


class ConversationMessage(BaseModel):
    """One message of a conversation."""

    role: Literal["user", "assistant"]
    text: str


class Verdict(BaseModel, extra="forbid", strict=True):
    """The verdict; a model must answer with bare JSON of exactly this form."""

    outcome: Outcome
    confidence: float = Field(ge=0, le=1)
    indicators: list[str]
    reasoning: str


UNKNOWN = Verdict(outcome="unknown", confidence=0.0, indicators=[], reasoning="")


class Judge(Protocol):
    """A model that returns a verdict; ``None`` if its reply was unreadable twice."""

    async def judge(self, prompt: str) -> Verdict | None: ...


class ModelJudge:
    """A ``Judge`` that uses a chat model; an invalid verdict is requested once more."""

    def __init__(self, models: ChatModels) -> None:
        self._model = PurposeModel(models, None, "detection")

    async def judge(self, prompt: str) -> Verdict | None:
        """Raises ``PalimpsestError`` when the model fails."""
        verdict, _ = await ask_json(self._model, Prompt(None, prompt), Verdict)
        return verdict


@dataclass
class OutcomeDetector:
    _judge: Judge | None
    _prompts: Prompts
    _settings: Memory
    _configured: Callable[[], bool] = lambda: True

    def due(self, turns: int, *, ended: bool = False) -> bool:
        """Whether to run detection: every few answers, and when a conversation ends; ``turns`` counts the answers."""
        judged = self._settings.detection and self._judge is not None and self._configured()
        return judged and turns >= LEAST_TURNS and (ended or turns % self._settings.detector_turns == 0)

    async def detect(self, conversation: Sequence[ConversationMessage]) -> Verdict:
        """The last answer's outcome, as far as the conversation shows it. Never raises."""
        answers = sum(each.role == "assistant" for each in conversation)
        if self._judge is None or answers < LEAST_TURNS:
            return UNKNOWN
        prompt = self._prompts.render("outcome_detector", messages=[_cut(each) for each in conversation])
        try:
            verdict = await self._judge.judge(prompt)
        except Exception:
            log.warning("an outcome was not detected", exc_info=True)
            verdict = None
        return verdict or UNKNOWN

    def counts(self, verdict: Verdict) -> bool:
        """Whether the verdict's confidence is high enough to apply it."""
        return verdict.outcome != "unknown" and verdict.confidence > self._settings.detector_confidence


def _cut(message: ConversationMessage) -> ConversationMessage:
    """The message on one line, so that its text cannot imitate the end of the conversation."""
    return ConversationMessage(role=message.role, text=" ".join(message.text.split())[:LONGEST])
