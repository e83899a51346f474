"""What is asked of the memory and what it gives: a query, hits with their scores, insights, what is told beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, Field

from core.language.bounded_text import bounded
from core.memory.items.reasons import FailureReason
from core.memory.outcomes.action_effectiveness import ActionAdvice
from core.memory.outcomes.tier_routing import TierAdvice
from core.records.findings import FINDINGS
from core.records.memory_meta import Tier
from core.search.request import SearchRecord
from core.search.scoring.calibration import Confidence
from core.store.items import LIBRARY, MEMORY, Kind, MemoryItem, Outcome, scope_of_findings

SortBy = Literal["relevance", "recency", "score"]
MOST = 20
"""Hits that can be asked for."""
RECALLED: tuple[Tier, ...] = ("working", "history", "patterns", "memory_bank")
"""Books are searched when the question is answered from documents."""


@dataclass(frozen=True)
class MemoryQuery:
    """``tiers`` and ``sort_by`` are chosen by the question when they are not given; ``working`` is always searched,
    across all conversations. ``since`` and ``until`` are epoch seconds; ``conversation_ids`` keeps what was said
    there. What a model took out of books is found where ``kinds`` names it, and nowhere else."""

    user_id: str
    text: str
    tiers: Sequence[Tier] | None = None
    limit: int | None = None
    sort_by: SortBy | None = None
    tags: Sequence[str] = ()
    kinds: Sequence[Kind] = ()
    since: float | None = None
    until: float | None = None
    conversation_ids: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", bounded(self.text))

    @property
    def scopes(self) -> list[str]:
        """Where to look."""
        taken = [kind for kind in FINDINGS if kind in self.kinds]
        own = [] if self.kinds and len(taken) == len(set(self.kinds)) else [MEMORY, LIBRARY]
        return [*own, *map(scope_of_findings, taken)]

    @property
    def filtered(self) -> bool:
        """Whether hits may be refused after they were found."""
        given = self.tags or self.kinds or self.conversation_ids
        return bool(given) or self.since is not None or self.until is not None

    def admits(self, item: MemoryItem) -> bool:
        created = item.timestamps.created_at
        return (
            (not self.tags or bool(set(self.tags) & set(item.tags)))
            and (not self.kinds or item.kind in self.kinds)
            and (not self.conversation_ids or item.source.conversation_id in self.conversation_ids)
            and (self.since is None or created >= self.since)
            and (self.until is None or created <= self.until)
        )


class ScoreParts(BaseModel):
    """Every part of a score: ranks from 1, raw lane scores, strengths in 0..1, what the profile learned."""

    dense_rank: int | None
    cosine: float | None
    dense: float | None
    lexical_rank: int | None
    bm25: float | None
    lexical: float
    fused: float
    company: float
    similarity: float
    similarity_weight: float
    learned: float
    learned_weight: float
    boosts: dict[str, float]
    weighed: float
    cross_encoder: float | None
    authority: float
    final: float


class Citation(BaseModel):
    """Where a memory comes from; ``passage_id`` is the passage of a document that it is, or that bears it out."""

    conversation_id: str | None = None
    message_id: str | None = None
    document_id: str | None = None
    passage_id: str | None = None
    title: str | None = None
    page: int | None = None
    section: str | None = None


class MemoryHit(BaseModel, arbitrary_types_allowed=True):
    """``text`` is whole, ``preview`` its beginning; ``age`` in words, ``age_seconds`` to count with; ``equal`` are the
    ids of memories that say the same and are not shown."""

    position: int
    memory_id: str
    tier: Tier
    text: str
    preview: str
    citation: Citation
    age: str
    age_seconds: float
    uses: int
    score: float
    wilson_score: float
    last_outcome: Outcome | None
    strength: float
    parts: ScoreParts
    equal: list[str] = []
    item: MemoryItem = Field(exclude=True, repr=False)

    @property
    def proven(self) -> str:
        """For a model: "5 of 6 worked"; empty where no outcome is known."""
        return f"{self.item.stats.worked_count} of {self.uses} worked" if self.uses else ""


@dataclass
class MemorySearchResult:
    """``plan`` is how deep each tier was searched."""

    hits: list[MemoryHit]
    record: SearchRecord
    sort_by: SortBy
    limit: int
    plan: dict[Tier, int] = field(default_factory=dict)


class PastExperience(BaseModel):
    """``success_rate`` is that of worked against failed; ``example`` is the question it last worked for."""

    memory_id: str
    preview: str
    uses: int
    success_rate: float
    example: str


class PastFailure(BaseModel):
    memory_id: str
    preview: str
    question: str
    at: float
    why: FailureReason | None = None

    @property
    def told(self) -> str:
        """For a model: "2026-11-20, outdated"."""
        day = datetime.fromtimestamp(self.at, UTC).date().isoformat()
        return ", ".join(part for part in (day, self.why.to("en") if self.why else "") if part)


class Repetition(BaseModel):
    """``turns_ago`` counts the questions back to it, 1 for the last one."""

    question: str
    turns_ago: int


class Insights(BaseModel):
    """Empty lists where nothing is known yet."""

    context_type: str
    concepts: list[str]
    experience: list[PastExperience] = []
    failures: list[PastFailure] = []
    recommendations: list[TierAdvice] = []
    actions: list[ActionAdvice] = []
    topics: list[str] = []
    repetition: Repetition | None = None
    facts: list[str] = []
    milliseconds: float = 0.0


@dataclass(frozen=True)
class Prefetch:
    """``known`` are facts for every answer and those that bear on this one; ``block`` is what a model is given,
    empty when nothing is remembered; ``confidence`` is how sure the memory is, before outcomes weigh in."""

    insights: Insights
    known: list[MemoryItem]
    hits: list[MemoryHit]
    confidence: Confidence
    block: str
    search: MemorySearchResult
    cold: list[MemoryItem] = field(default_factory=list)
