"""Selects ranking profiles, which combine relevance with past outcomes.

``seed``         the weight table (docs/specification.md, "Ranking"; ``core.memory.ranking.seed``).
``conditional``  relevance, changed by a memory's outcomes for questions that ask the same
                 (``core.memory.ranking.conditional``).

``python -m benchmarks.outcomes`` compares them with others and chooses the default.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from core.memory.items.records import OutcomeExample
from core.memory.ranking.boosts import Boosts, Effects, Entities, Known, read_boosts
from core.memory.ranking.conditional import CONDITIONAL, Conditional, QuestionSimilarities
from core.memory.ranking.seed import weigh_as_seed
from core.models.embeddings import Calibration
from core.search.pipeline import Profile, RankingQuestion, Weigh, by_relevance
from core.setting_groups import Memory
from core.store.items import SCORED, MemoryItem


class OutcomeExampleReader(Protocol):
    """The method of ``core.memory.outcomes.examples`` that the profiles need."""

    async def of_memories(self, user_id: str, memory_ids: Sequence[str]) -> dict[str, list[OutcomeExample]]: ...


def profile_of(
    settings: Memory,
    lessons: OutcomeExampleReader,
    calibration: Calibration | None = None,
    known: Known | None = None,
    entities: Entities | None = None,
    effects: Effects | None = None,
    tuning: Conditional = CONDITIONAL,
) -> Profile:
    """The profile that ``settings`` name.

    ``calibration`` is the embedding model's, ``None`` when there is no model. ``known``, ``entities`` and ``effects``
    are the sources of the boosts in docs/specification.md, "Ranking"; a source that is ``None`` is not used.
    """

    async def profile(asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        tried = [item.id for item in items if item.tier in SCORED and item.stats.uses > 0]
        reads_lessons = settings.profile == "conditional" and tried
        boosts, taught = await asyncio.gather(
            read_boosts(asked, items, known, entities, effects),
            lessons.of_memories(asked.user_id, tried) if reads_lessons else _no_lessons(),
        )
        if settings.profile == "seed":
            return lambda candidates: weigh_as_seed(candidates, boosts)
        likeness = QuestionSimilarities(asked.text, asked.vector, calibration)
        return lambda candidates: tuning.weigh(candidates, taught, likeness, boosts)

    return profile


def documents_profile_of(
    settings: Memory,
    lessons: OutcomeExampleReader,
    calibration: Calibration | None = None,
) -> Profile:
    """The profile for passages. Passages have no score, so only their outcomes for similar questions change their
    relevance; a profile that does not use such outcomes leaves it unchanged."""

    async def profile(asked: RankingQuestion, items: Sequence[MemoryItem]) -> Weigh:
        if settings.profile != "conditional":
            return by_relevance
        taught = await lessons.of_memories(asked.user_id, [item.id for item in items])
        if not taught:
            return by_relevance
        likeness = QuestionSimilarities(asked.text, asked.vector, calibration)
        return lambda candidates: CONDITIONAL.weigh(candidates, taught, likeness, Boosts())

    return profile


async def _no_lessons() -> dict[str, list[OutcomeExample]]:
    return {}
