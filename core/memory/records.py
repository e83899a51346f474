"""What the memory shows of itself: tiers, one memory's history, what a conversation left, what an outcome moved."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

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
    """``scores`` counts what is active by tenths of the score (of quality in the bank). Times are epoch seconds,
    ``lifetime`` and ``soon`` seconds. ``rises_*`` is what it takes to go to the next tier."""

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
    """Earlier texts and changes of tier with the newest first, outcomes in the order in which they came."""

    item: MemoryItem
    versions: list[VersionRecord]
    outcomes: list[OutcomeExample]
    transitions: list[Transition]


class ConversationMemories(BaseModel):
    """What a conversation left: facts of the bank, what was said, and what was asked; the newest first."""

    facts: list[MemoryItem]
    exchanges: list[MemoryItem]
    asked: list[AnswerRecord]


class RankingPreview(BaseModel):
    """What the next ranking will do with something that the answer rested on, when the same is asked again.

    ``factor`` multiplies its relevance, ``before`` did so until now.
    """

    memory_id: str
    tier: Tier
    preview: str
    document_id: str | None = None
    title: str = ""
    before: float
    factor: float


class FeedbackEffect(BaseModel):
    """``outcome`` is what holds now, ``why`` what was said of it; ``citations`` are the numbers that the answer cites,
    ``rated_citations`` those of them that the outcome is about; ``summary`` is what moves, in a sentence. Endpoints
    send the fields by their aliases."""

    answer_id: str
    outcome: Outcome
    effect: OutcomeEffect
    ranking_previews: list[RankingPreview] = Field(default=[], serialization_alias="ahead")
    citations: list[int] = []
    rated_citations: list[int] = Field(default=[], serialization_alias="meant")
    summary: Words | None = Field(default=None, serialization_alias="told")
    why: FailureReason | None = None
