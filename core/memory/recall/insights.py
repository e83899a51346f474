"""Collects insights before the semantic search: the past outcomes that are relevant to a question.

All lookups are by keyword or key, so that they take only some milliseconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from rapidfuzz import fuzz

from core.clock import Clock
from core.ids import record_id
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.memory.items.records import OutcomeExample, preview
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.context_types import detect_context_type
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.tier_routing import Routing, concepts_of
from core.memory.recall.records import RECALLED, Insights, PastExperience, PastFailure, Repetition
from core.question.analysis import analyse
from core.resilience.dependencies import Dependency
from core.search.item_cache import ItemCache
from core.search.scoring.calibration import item_terms, lexical, term_frequencies
from core.search.sparse_vectors import query_vector
from core.store.index import Index, Where
from core.store.items import MEMORY, SCORED, MemoryItem

log = logging.getLogger(__name__)

T = TypeVar("T")

LOOKED_AT = 24
"""Maximum number of memories sharing words with the question that are examined."""
NEAR = 0.5
"""Minimum keyword strength of a relevant memory: its share of the question's words, relative to texts that answer it.
"""
SHOWN = 3
REPEATED = 90.0
"""Minimum similarity of two questions, 0..100, for the second to count as a repetition."""
GOOD, BAD = 0.6, 0.4
"""A memory is advice to follow from the first score up, and one to avoid below the second."""


@dataclass
class ContextInsights:
    """Collects insights (``get_context_insights``); a lookup that fails is left out."""

    _index: Index
    _items: MemoryItems
    _lessons: OutcomeExamples
    _routing: Routing
    _effectiveness: ActionEffectiveness
    _words: Dependency
    _clock: Clock

    def __post_init__(self) -> None:
        self._counts = ItemCache(item_terms)

    async def of(self, user_id: str, question: str, recent: Sequence[str] = ()) -> Insights:
        """Insights for a question; ``recent`` are the conversation's earlier questions, the latest one last."""
        began = asyncio.get_running_loop().time()
        concepts = concepts_of(question)
        context_type = detect_context_type(question)
        near, recommended, actions = await asyncio.gather(
            self._nearby_memories(user_id, question),
            self._routing.recommend(user_id, concepts),
            self._effectiveness.of(user_id, context_type),
            return_exceptions=True,
        )
        items = _or_empty(near)
        experience, failures = await self._outcomes(user_id, items)
        return Insights(
            context_type=context_type,
            concepts=concepts,
            experience=experience,
            failures=failures,
            recommendations=_or_empty(recommended),
            actions=_or_empty(actions),
            topics=topics(question, recent),
            repetition=repetition(question, recent),
            facts=[item.text for item in items if item.tier == "memory_bank"][:SHOWN],
            milliseconds=(asyncio.get_running_loop().time() - began) * 1000,
        )

    async def _nearby_memories(self, user_id: str, question: str) -> list[MemoryItem]:
        """Memories that share enough words with the question, the nearest first."""
        analysis = analyse(question)
        vector = query_vector([*analysis.terms, *analysis.expanded])
        where = Where(
            user_id,
            any_of={"tier": list(RECALLED), "scope": [MEMORY]},
            none_of={"status": ["deleted", "archived"]},
        )
        hits = await self._words.attempt(lambda: self._index.query_lexical(vector, where, LOOKED_AT))
        items = await self._items.load(user_id, [record_id("mem", hit.id) for hit in hits])
        counts = [term_frequencies(self._counts.of(item).elements()) for item in items]
        shares = lexical(analysis.terms, analysis.expanded, counts)
        ranked = sorted(zip(shares, items, strict=True), key=lambda pair: (-pair[0], pair[1].id))
        return [item for share, item in ranked if share >= NEAR]

    async def _outcomes(
        self, user_id: str, items: Sequence[MemoryItem]
    ) -> tuple[list[PastExperience], list[PastFailure]]:
        scored = [item for item in items if item.tier in SCORED and item.stats.uses]
        lessons = await self._lessons.of_memories(user_id, [item.id for item in scored]) if scored else {}
        good = [item for item in scored if item.stats.score >= GOOD]
        bad = [item for item in scored if item.stats.score < BAD]
        return (
            [_experience(item, lessons.get(item.id, [])) for item in good[:SHOWN]],
            [failure for item in bad if (failure := _failure(item, lessons.get(item.id, [])))][:SHOWN],
        )


def topics(question: str, recent: Sequence[str]) -> list[str]:
    """Topics that continue in the question: words that earlier questions also had, the most frequent first."""
    earlier = [fold(text) for text in recent]
    shared = Counter({term: sum(covers(term, text) for text in earlier) for term in content_terms(question)})
    return [term for term, count in shared.most_common(SHOWN) if count]


def repetition(question: str, recent: Sequence[str]) -> Repetition | None:
    """The latest earlier question with nearly the same wording."""
    asked = fold(question)
    for turns_ago, text in enumerate(reversed(recent), start=1):
        if fuzz.token_sort_ratio(asked, fold(text)) >= REPEATED:
            return Repetition(question=text, turns_ago=turns_ago)
    return None


def _experience(item: MemoryItem, lessons: Sequence[OutcomeExample]) -> PastExperience:
    worked = [lesson.question for lesson in lessons if lesson.outcome == "worked"]
    return PastExperience(
        memory_id=item.id,
        preview=preview(item),
        uses=item.stats.uses,
        success_rate=item.stats.success_rate,
        example=worked[-1] if worked else "",
    )


def _failure(item: MemoryItem, lessons: Sequence[OutcomeExample]) -> PastFailure | None:
    failed = [lesson for lesson in lessons if lesson.outcome == "failed"]
    if not failed:
        return None
    return PastFailure(
        memory_id=item.id, preview=preview(item), question=failed[-1].question, at=failed[-1].at, why=failed[-1].why
    )


def _or_empty(found: list[T] | BaseException) -> list[T]:
    if isinstance(found, BaseException):
        log.warning("an insight was left out: %s", found)
        return []
    return found
