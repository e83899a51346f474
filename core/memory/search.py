"""Searches all tiers at once and explains every hit [spec M4, M8; 001 §6.A, §8.11]."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import fuzz

from core.clock import Clock
from core.language.normalisation import fold
from core.memory.lately import asks_for_the_latest
from core.memory.records import preview
from core.memory.sizing import how_many
from core.resilience import Deadline
from core.search.pipeline import Profile, SearchPipeline
from core.search.request import Explained, SearchRecord, SearchRequest, Steps, silent
from core.settings import Memory
from core.store.items import LIBRARY, MEMORY, SCORED, TIERS, Kind, MemoryItem, Outcome, Tier

SortBy = Literal["relevance", "recency", "score"]

Plan = Callable[[str, str, Sequence[Tier]], Awaitable[dict[Tier, int]]]
"""User, question and tiers to the depth of each: the routing hook."""

OVER_FETCH = 3
MOST = 20
NEARLY_EQUAL = 96.0
"""Likeness of two texts, 0..100, from which a result list shows the better one alone."""
RELEVANT = 0.35
"""The share of the best hit's strength that a hit needs before time or score may put it first."""


@dataclass(frozen=True)
class MemoryQuery:
    """``tiers`` and ``sort_by`` are chosen by the question when they are not given; ``working`` is always searched,
    across all conversations. ``since`` and ``until`` are epoch seconds."""

    user_id: str
    text: str
    tiers: Sequence[Tier] | None = None
    limit: int | None = None
    sort_by: SortBy | None = None
    tags: Sequence[str] = ()
    kinds: Sequence[Kind] = ()
    since: float | None = None
    until: float | None = None

    def admits(self, item: MemoryItem) -> bool:
        created = item.timestamps.created_at
        return (
            (not self.tags or bool(set(self.tags) & set(item.tags)))
            and (not self.kinds or item.kind in self.kinds)
            and (self.since is None or created >= self.since)
            and (self.until is None or created <= self.until)
        )


class ScoreParts(BaseModel):
    """Every part of a score: ranks from 1, raw lane scores, strengths in 0..1, what the profile learned [spec M8]."""

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
    """Where a memory comes from."""

    conversation_id: str | None = None
    message_id: str | None = None
    document_id: str | None = None
    title: str | None = None
    page: int | None = None
    section: str | None = None


class MemoryHit(BaseModel):
    """``text`` is whole, ``preview`` its beginning; ``age`` in words, ``age_seconds`` to count with."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

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
    item: MemoryItem = Field(exclude=True, repr=False)


@dataclass
class MemorySearchResult:
    """``plan`` is how deep each tier was searched."""

    hits: list[MemoryHit]
    record: SearchRecord
    sort_by: SortBy
    limit: int
    plan: dict[Tier, int] = field(default_factory=dict)


class MemorySearch:
    """``pipeline`` is asked anew for each search, because it changes when the index does."""

    def __init__(
        self,
        pipeline: Callable[[], SearchPipeline],
        profile: Profile,
        plan: Plan,
        clock: Clock,
        settings: Memory,
        seconds: float,
    ) -> None:
        self._pipeline = pipeline
        self._profile = profile
        self._plan = plan
        self._clock = clock
        self._settings = settings
        self._seconds = seconds

    async def search(self, query: MemoryQuery, steps: Steps = silent) -> MemorySearchResult:
        """The best memories, numbered from 1. Never raises for a stage that fails: it is skipped and said."""
        deadline = Deadline(self._seconds)
        limit = min(MOST, query.limit or how_many(query.text, self._settings))
        tiers = _with_working(query.tiers)
        sort_by = query.sort_by or ("recency" if asks_for_the_latest(query.text) else "relevance")
        depths = await self._depths(query, tiers, limit)
        request = SearchRequest(
            user_id=query.user_id,
            text=query.text,
            limit=limit * OVER_FETCH,
            tiers=tiers,
            scopes=(MEMORY, LIBRARY),
            depths=depths,
        )
        result = await self._pipeline().search(request, deadline, steps, self._profile)
        ranked = _ordered(_distinct([hit for hit in result.hits if query.admits(hit.item)]), sort_by)[:limit]
        now = self._clock()
        hits = [explained(hit, position, now) for position, hit in enumerate(ranked, start=1)]
        return MemorySearchResult(hits, result.record, sort_by, limit, depths)

    async def _depths(self, query: MemoryQuery, tiers: Sequence[Tier], limit: int) -> dict[Tier, int]:
        try:
            planned = await self._plan(query.user_id, query.text, tiers)
        except Exception:
            planned = {}
        return {tier: max(OVER_FETCH * limit, planned.get(tier, 0)) for tier in tiers}


def _with_working(tiers: Sequence[Tier] | None) -> list[Tier]:
    wanted = set(tiers) if tiers else set(TIERS)
    if wanted & set(SCORED):
        wanted.add("working")
    return [tier for tier in TIERS if tier in wanted]


def _distinct(hits: Sequence[Explained]) -> list[Explained]:
    """Without texts that nearly equal a better one [001 §7]."""
    kept: list[tuple[str, Explained]] = []
    for hit in hits:
        text = fold(hit.item.text)
        if all(_differ(text, other) for other, _ in kept):
            kept.append((text, hit))
    return [hit for _, hit in kept]


def _differ(one: str, other: str) -> bool:
    shorter, longer = sorted((len(one), len(other)))
    return shorter < 0.9 * longer or _numbers(one) != _numbers(other) or fuzz.ratio(one, other) < NEARLY_EQUAL


def _numbers(text: str) -> str:
    return "".join(character for character in text if character.isdigit())


def _ordered(hits: list[Explained], sort_by: SortBy) -> list[Explained]:
    """By time or score only among what is relevant; what is hardly relevant follows as it was."""
    if sort_by == "relevance" or not hits:
        return hits
    least = RELEVANT * max(hit.strength for hit in hits)
    near = [hit for hit in hits if hit.strength >= least]
    far = [hit for hit in hits if hit.strength < least]
    if sort_by == "recency":
        near.sort(key=lambda hit: (-hit.item.timestamps.created_at, hit.item.id))
    else:
        near.sort(key=lambda hit: (-_worth(hit.item), hit.item.id))
    return near + far


def _worth(item: MemoryItem) -> float:
    if item.tier == "memory_bank":
        return item.quality.quality_score if item.quality else 0.0
    return item.stats.score if item.tier in SCORED else 0.5


def explained(hit: Explained, position: int, now: float) -> MemoryHit:
    """A hit with every part of its score."""
    item, learned, book = hit.item, hit.learned, hit.item.source.book
    seconds = max(0.0, now - item.timestamps.created_at)
    return MemoryHit(
        position=position,
        memory_id=item.id,
        tier=item.tier,
        text=item.text,
        preview=preview(item),
        citation=Citation(
            conversation_id=item.source.conversation_id,
            message_id=item.source.message_id,
            document_id=item.document_id,
            title=book.title if book else None,
            page=book.page if book else None,
            section=book.section if book else None,
        ),
        age=age_of(seconds),
        age_seconds=seconds,
        uses=item.stats.uses,
        score=item.stats.score,
        wilson_score=item.stats.wilson_score,
        last_outcome=item.stats.last_outcome,
        strength=hit.strength,
        parts=ScoreParts(
            dense_rank=hit.dense_rank,
            cosine=hit.cosine,
            dense=hit.dense,
            lexical_rank=hit.lexical_rank,
            bm25=hit.bm25,
            lexical=hit.lexical,
            fused=hit.fused,
            company=hit.company,
            similarity=learned.similarity if learned else hit.fused + hit.company,
            similarity_weight=learned.similarity_weight if learned else 1.0,
            learned=learned.score if learned else 0.5,
            learned_weight=learned.score_weight if learned else 0.0,
            boosts=learned.boosts if learned else {},
            weighed=hit.weighed,
            cross_encoder=hit.cross_encoder,
            authority=hit.authority,
            final=hit.final,
        ),
        item=item,
    )


def age_of(seconds: float) -> str:
    """An age in one unit: ``3 min``, ``5 h``, ``12 d``."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"
