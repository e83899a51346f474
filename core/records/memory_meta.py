"""Defines the record of the memory's contribution to an answer: ``MemoryMetaV1``.

The field names are a fixed interface. Lists are limited in length; the full data is available from the memory. The
record's JSON Schema is ``docs/memory-meta.schema.json``.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

Tier = Literal["working", "history", "patterns", "books", "memory_bank"]
Reason = Literal["wrong_figure", "wrong_document", "outdated", "not_asked"]

MOST_CITATIONS = 64
MOST_KNOWN = 40
MOST_CONCEPTS = 8

Position = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Milliseconds = Annotated[float, Field(ge=0)]


class _Part(BaseModel, extra="forbid", frozen=True):
    """Base class of the record's parts: immutable, without additional fields."""


class PositionedMemory(_Part):
    position: Position
    tier: Tier
    memory_id: str


class TierPosition(_Part):
    position: Position
    tier: Tier


class SearchPositionMap(_Part):
    """Maps the marks [M1], [M2] … of this turn to memories, and memories to marks."""

    by_position: list[PositionedMemory] = []
    by_memory_id: dict[str, TierPosition] = {}


class RetrievalMeta(_Part):
    query: str
    normalized_query: str | None = None
    limit: Annotated[int, Field(ge=1, le=50)]
    sort_by: Literal["relevance", "recency", "score"] | None = None
    tiers_considered: list[Tier]
    tiers_used: list[Tier]
    search_position_map: SearchPositionMap = SearchPositionMap()


class FailedBefore(_Part):
    """The last failed answer that used this memory: when, for which question, and the reason if given."""

    at: datetime
    question: str
    reason: Reason | None = None
    words: str = ""


class KnownContextItem(_Part):
    """A memory that the model received. ``score_summary``: relevance to the question and outcome score, 0..1."""

    tier: Tier
    memory_id: str
    content: str
    doc_id: str | None = None
    score_summary: dict[str, float] | None = None
    failed_before: FailedBefore | None = None


class KnownContext(_Part):
    """The memories that the model received; ``known_context_text`` is their text as it was put into the prompt."""

    known_context_text: str = ""
    known_context_items: Annotated[list[KnownContextItem], Field(max_length=MOST_KNOWN)] = []


class CitedMemory(_Part):
    tier: Tier
    memory_id: str
    doc_id: str | None = None
    chunk_id: str | None = None


class ActiveConcept(_Part):
    concept: str
    best_collection: str | None = None
    success_rate: Share | None = None
    usage_count: Annotated[int, Field(ge=0)] | None = None


class TierRecommendation(_Part):
    tier: Tier
    success_rate: Share
    usage_count: Annotated[int, Field(ge=0)]


class ContextInsightsMeta(_Part):
    matched_concepts: list[str] = []
    active_concepts: Annotated[list[ActiveConcept], Field(max_length=MOST_CONCEPTS)] = []
    tier_recommendations: list[TierRecommendation] | None = None
    you_already_know: list[str] | None = None
    directives: list[str] | None = None


class StageError(_Part):
    stage: str
    message: str
    code: str | None = None


class Debug(_Part):
    """Technical details. ``fallbacks_used`` lists the steps that were left out, in the question's language."""

    retrieval_confidence: Literal["high", "medium", "low"] = "low"
    fallbacks_used: list[str] = []
    stage_timings_ms: dict[str, Milliseconds] = {}
    errors: list[StageError] = []
    vector_stage_status: (
        Literal["enabled", "disabled_schema_mismatch", "disabled_breaker_open", "disabled_config"] | None
    ) = None


class FeedbackMeta(_Part):
    """Whether feedback on the answer is possible, and which memories it affects by default."""

    eligible: bool = False
    interrupted: bool = False
    eligible_reason: str | None = None
    default_related_positions: list[Position] = []


class MemoryMeta(_Part):
    """The memory's contribution to one answer; it is built once and stored with the answer."""

    schema_version: Literal["v1"] = "v1"
    conversation_id: Annotated[str, Field(min_length=1)]
    assistant_message_id: Annotated[str, Field(min_length=1)]
    user_id: str | None = None
    created_at: datetime
    context_type: str | None = None
    retrieval: RetrievalMeta
    known_context: KnownContext = KnownContext()
    citations: Annotated[list[CitedMemory], Field(max_length=MOST_CITATIONS)] = []
    context_insights: ContextInsightsMeta = ContextInsightsMeta()
    debug: Debug = Debug()
    feedback: FeedbackMeta = FeedbackMeta()
