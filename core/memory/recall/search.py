"""Searches all tiers and explains every hit's score."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from core.clock import Clock
from core.errors import explain
from core.language.detection import detect
from core.language.normalisation import fold
from core.language.terms import stem
from core.memory.items.records import preview
from core.memory.recall.context_size import how_many
from core.memory.recall.recency_intent import asks_for_the_latest
from core.memory.recall.records import MOST, Citation, MemoryHit, MemoryQuery, MemorySearchResult, ScoreParts, SortBy
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline
from core.search.pipeline import Pipeline, Profile
from core.search.request import OutcomeScore, ScoredHit, SearchRecord, SearchRequest, Steps, silent
from core.setting_groups import Memory
from core.store.items import SCORED, TIERS, MemoryItem

log = logging.getLogger(__name__)


Plan = Callable[[str, str, Sequence[Tier]], Awaitable[dict[Tier, int]]]
"""A function: (user, question, tiers) → number of candidates from each tier. Routing provides it."""

Names = Callable[[str], Awaitable[Sequence[str]]]
"""A function: user id → names of the speakers in that user's memories."""

OVER_FETCH = 3
SPARE = 5
"""Number of extra hits to request, because hits with equal texts are merged."""
FILTERED_DEPTH = 256
"""Candidates per retriever from a tier when many of them may be filtered out afterwards."""
PLANNING = 1.0
"""Maximum seconds to wait for the number of candidates per tier; after that all tiers contribute equally."""
RELEVANT = 0.75
"""Minimum share of the best score for a hit to be ranked first by time or outcomes. At this value no correct statement
is lost among the first five for questions that begin with *when did* (LoCoMo benchmark); at .6 every fourth is lost."""


@dataclass
class MemorySearch:
    """Searches the memory. ``pipeline`` is called for each search to get the current pipeline, which changes with the
    index."""

    _pipeline: Callable[[], Pipeline]
    _profile: Profile
    _plan: Plan
    _clock: Clock
    _settings: Memory
    _seconds: float
    _speakers: Names | None = None

    async def search(self, query: MemoryQuery, steps: Steps = silent) -> MemorySearchResult:
        """The best memories, numbered from 1. Never raises: failed stages are skipped and reported."""
        deadline = Deadline(self._seconds)
        limit = max(1, min(MOST, query.limit or how_many(query.text, self._settings)))
        tiers = _with_working(query.tiers)
        sort_by = query.sort_by or ("recency" if asks_for_the_latest(query.text) else "relevance")
        result = MemorySearchResult([], SearchRecord(detect(query.text)), sort_by, limit)
        try:
            async with asyncio.timeout(self._seconds):
                result.plan = await self._depths(query, tiers, limit, deadline)
                await self._fill(result, query, tiers, deadline, steps)
        except Exception as error:
            log.warning("memory was not searched", exc_info=True)
            result.record.skipped.append(explain(error).what)
        return result

    async def _fill(
        self, result: MemorySearchResult, query: MemoryQuery, tiers: Sequence[Tier], deadline: Deadline, steps: Steps
    ) -> None:
        request = SearchRequest(
            user_id=query.user_id,
            text=query.text,
            limit=self._wanted(query, result),
            tiers=tiers,
            scopes=query.scopes,
            depths=result.plan,
            episodic=True,
            names=await self._speakers(query.user_id) if self._speakers else (),
        )
        found = await self._pipeline().search(request, deadline, steps, self._profile)
        distinct = _distinct([hit for hit in found.hits if query.admits(hit.item)])
        ranked = _ordered(distinct, result.sort_by)[: result.limit]
        now = self._clock()
        result.record = found.record
        result.hits = [_explained_hit(each, position, now) for position, each in enumerate(ranked, start=1)]

    def _wanted(self, query: MemoryQuery, result: MemorySearchResult) -> int:
        """How many hits to request; the cross-encoder runs only if there are twice as many candidates."""
        if query.filtered:
            return FILTERED_DEPTH
        return result.limit + SPARE if result.sort_by == "relevance" else result.limit * OVER_FETCH

    async def _depths(
        self, query: MemoryQuery, tiers: Sequence[Tier], limit: int, deadline: Deadline
    ) -> dict[Tier, int]:
        try:
            async with asyncio.timeout(deadline.slice(PLANNING)):
                planned = await self._plan(query.user_id, query.text, tiers)
        except Exception:
            log.warning("all tiers are searched alike", exc_info=True)
            planned = {}
        least = FILTERED_DEPTH if query.filtered else OVER_FETCH * limit
        return {tier: max(least, planned.get(tier, 0)) for tier in tiers}


def _with_working(tiers: Sequence[Tier] | None) -> list[Tier]:
    wanted = set(tiers) if tiers else set(TIERS)
    if wanted & set(SCORED):
        wanted.add("working")
    return [tier for tier in TIERS if tier in wanted]


@dataclass
class _Distinct:
    """A hit, and worse hits with the same text."""

    hit: ScoredHit
    equal: list[str] = field(default_factory=list)


_WORD = re.compile(r"[^\W_]+")


def _distinct(hits: Sequence[ScoredHit]) -> list[_Distinct]:
    """Keep each text once, at its best rank."""
    kept: dict[tuple[str, ...], _Distinct] = {}
    for hit in hits:
        words = tuple(stem(word) for word in _WORD.findall(fold(hit.item.text))) or (hit.item.id,)
        if words in kept:
            kept[words].equal.append(hit.item.id)
        else:
            kept[words] = _Distinct(hit)
    return list(kept.values())


def _ordered(hits: list[_Distinct], sort_by: SortBy) -> list[_Distinct]:
    """Sort only the relevant hits by time or score; less relevant hits follow in their previous order."""
    if sort_by == "relevance" or not hits:
        return hits
    least = RELEVANT * hits[0].hit.final
    near = [each for each in hits if each.hit.final >= least]
    if sort_by == "recency":
        near.sort(key=lambda each: (-each.hit.item.timestamps.created_at, each.hit.item.id))
    else:
        near.sort(key=lambda each: (-_tier_score(each.hit.item), each.hit.item.id))
    return near + [each for each in hits if each.hit.final < least]


def _tier_score(item: MemoryItem) -> float:
    if item.tier == "memory_bank":
        return item.quality.quality_score if item.quality else 0.0
    return item.stats.score if item.tier in SCORED else 0.5


def _explained_hit(found: _Distinct, position: int, now: float) -> MemoryHit:
    """A hit with all parts of its score."""
    hit = found.hit
    item, book = hit.item, hit.item.source.book
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
            passage_id=item.source.chunk_id,
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
        parts=_score_parts(hit),
        equal=found.equal,
        item=item,
    )


def _score_parts(hit: ScoredHit) -> ScoreParts:
    learned = hit.learned or OutcomeScore(hit.fused + hit.company, 0.5)
    told = {
        "similarity": learned.similarity,
        "similarity_weight": learned.similarity_weight,
        "learned": learned.score,
        "learned_weight": learned.score_weight,
        "boosts": learned.boosts,
    }
    return ScoreParts.model_validate({**vars(hit), **told})


def age_of(seconds: float) -> str:
    """An age in one unit: ``3 min``, ``5 h``, ``12 d``."""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "now"
