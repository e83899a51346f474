"""Defines records for the memory pages: tiers, a memory's history, a conversation's memories, an outcome's effect."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from core.memory.corrections.records import CorrectionEffect
from core.memory.items.reasons import FailureReason
from core.memory.items.records import (
    AnswerRecord,
    OutcomeEffect,
    OutcomeExample,
    Transition,
    VersionRecord,
)
from core.records.memory_meta import Tier
from core.store.items import MemoryItem, Outcome
from core.words import Words

TierSort = Literal["newest", "score", "uses", "expires"]


class TierView(BaseModel):
    """A tier's counts. ``scores`` counts active items by tenths of the score (of the quality in the bank). ``oldest``
    and ``newest`` are epoch seconds, ``lifetime`` and ``soon`` are seconds. ``rises_*`` are the conditions for
    promotion to the next tier."""

    tier: Tier
    count: int
    scores: list[int]
    oldest: float | None = None
    newest: float | None = None
    lifetime: float | None = None
    soon: float | None = None
    expiring: int = 0
    rises_to: Tier | None = None
    rises_score: float = 0.0
    rises_uses: int = 0


class History(BaseModel):
    """A memory's history: earlier texts and tier changes, newest first; outcomes in order of time."""

    item: MemoryItem
    versions: list[VersionRecord]
    outcomes: list[OutcomeExample]
    transitions: list[Transition]


class ConversationMemories(BaseModel):
    """What was remembered from a conversation: facts, question-answer pairs and questions; the newest first."""

    facts: list[MemoryItem]
    exchanges: list[MemoryItem]
    asked: list[AnswerRecord]


class RankingPreview(BaseModel):
    """How a source of the answer will be ranked when the same question is asked again.

    ``factor`` multiplies the source's relevance; ``before`` was the factor until now.
    """

    memory_id: str
    tier: Tier
    preview: str
    document_id: str | None = None
    title: str = ""
    before: float
    factor: float


class FeedbackEffect(BaseModel):
    """The effect of feedback. ``outcome`` is the effective one, ``why`` its reason. ``citations`` are the answer's
    citation numbers, ``rated_citations`` those that the outcome is about. ``summary`` describes the changes in a
    sentence. ``correction`` is the right answer that the user typed. Endpoints send the fields by their aliases."""

    answer_id: str
    outcome: Outcome
    effect: OutcomeEffect
    ranking_previews: list[RankingPreview] = Field(default=[], serialization_alias="ahead")
    citations: list[int] = []
    rated_citations: list[int] = Field(default=[], serialization_alias="meant")
    summary: Words | None = Field(default=None, serialization_alias="told")
    why: FailureReason | None = None
    correction: CorrectionEffect | None = None
