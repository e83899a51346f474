"""Defines the memory's queries and results: hits with their scores, insights, and prefetched context."""

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
"""Maximum number of hits for a query."""
RECALLED: tuple[Tier, ...] = ("working", "history", "patterns", "memory_bank")
"""Tiers that recall searches; books are searched when the question is answered from documents."""


@dataclass(frozen=True)
class MemoryQuery:
    """A query. Without ``tiers`` and ``sort_by``, the question decides both; ``working`` is always searched, across all
    conversations. ``since`` and ``until`` are epoch seconds; ``conversation_ids`` limits results to these
    conversations. Findings that a model extracted from books are returned only if ``kinds`` lists them."""

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
        """The scopes to search."""
        taken = [kind for kind in FINDINGS if kind in self.kinds]
        own = [] if self.kinds and len(taken) == len(set(self.kinds)) else [MEMORY, LIBRARY]
        return [*own, *map(scope_of_findings, taken)]

    @property
    def filtered(self) -> bool:
        """Whether hits may be filtered out after the search."""
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
    """All parts of a score: ranks from 1, raw retriever scores, strengths in 0..1, and what the ranking profile
    learned."""

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
    """A memory's origin; ``passage_id`` is the id of the document passage that the memory is, or that supports it."""

    conversation_id: str | None = None
    message_id: str | None = None
    document_id: str | None = None
    passage_id: str | None = None
    title: str | None = None
    page: int | None = None
    section: str | None = None


class MemoryHit(BaseModel, arbitrary_types_allowed=True):
    """A search hit. ``text`` is complete, ``preview`` is its beginning. ``age`` is in words, ``age_seconds`` a number.
    ``equal`` has ids of memories with the same text, which are not shown."""

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
        """Past outcomes as text for a model, such as "5 of 6 worked"; empty if no outcome is known."""
        return f"{self.item.stats.worked_count} of {self.uses} worked" if self.uses else ""


@dataclass
class MemorySearchResult:
    """A search's result; ``plan`` has the number of candidates from each tier."""

    hits: list[MemoryHit]
    record: SearchRecord
    sort_by: SortBy
    limit: int
    plan: dict[Tier, int] = field(default_factory=dict)


class PastExperience(BaseModel):
    """A memory that worked before. ``success_rate`` is worked / (worked + failed); ``example`` is the last question it
    worked for."""

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
        """The failure as text for a model: "2026-11-20, outdated"."""
        day = datetime.fromtimestamp(self.at, UTC).date().isoformat()
        return ", ".join(part for part in (day, self.why.to("en") if self.why else "") if part)


class Repetition(BaseModel):
    """A repeated question; ``turns_ago`` is the number of questions back to the earlier one, 1 for the previous
    question."""

    question: str
    turns_ago: int


class Insights(BaseModel):
    """Insights; lists are empty if nothing is known yet."""

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
    """Prefetched context. ``known`` has facts for every answer and facts relevant to this one. ``block`` is the text
    for a model, empty if nothing is remembered. ``confidence`` is the memory's confidence before outcomes are
    considered."""

    insights: Insights
    known: list[MemoryItem]
    hits: list[MemoryHit]
    confidence: Confidence
    block: str
    search: MemorySearchResult
    cold: list[MemoryItem] = field(default_factory=list)
