"""Calculates boosts: named factors that change a hit's similarity, apart from its outcomes (docs/specification.md,
"Ranking")."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.search.pipeline import RankingQuestion
from core.store.items import SCORED, MemoryItem

log = logging.getLogger(__name__)

T = TypeVar("T")

Known = Callable[[str, str], Awaitable[set[str]]]
"""A function: (user, question) → the ids of memories that solved the same problem."""
Entities = Callable[[str, str, Sequence[MemoryItem]], Awaitable[Mapping[str, float]]]
"""A function: (user, question, candidates) → by memory id, the summed average quality of the entities that the question
and the memory both name."""
Effects = Callable[[str, Sequence[MemoryItem]], Awaitable[Mapping[str, float]]]
"""A function: (user, candidates) → success rates (0..1) of actions that used each candidate; only candidates with at
least three uses."""

KNOWN = 0.5
"""Factor on the distance of a memory that solved the same problem."""
ENTITY, MOST_ENTITIES = 0.2, 1.5
LEAST_EFFECT, EFFECT = 0.7, 0.6
AUTHORITATIVE_EFFECT = 0.15
BOUND = 0.15
"""Maximum share by which a memory's success rate for the same question may change its relevance."""
QUALITY, LEAST_DISTANCE = 0.8, 0.2
USUAL_QUALITY = 0.49
"""Quality (importance times confidence) of a fact stored without either value. A fact of this quality competes with
other tiers only by its relevance; the plain factor 1 + quality would rank every fact of the bank above every stored
question and answer."""


@dataclass(frozen=True)
class Boosts:
    """Boost values for a question's candidates, by memory id."""

    known: frozenset[str] = frozenset()
    entities: Mapping[str, float] = field(default_factory=dict)
    effects: Mapping[str, float] = field(default_factory=dict)

    def of(self, item: MemoryItem, similarity: float) -> dict[str, float]:
        """Factors on ``similarity`` (0..1), by name; factors of 1 are left out."""
        factors: dict[str, float] = {}
        if item.id in self.known and similarity > 0:
            factors["known_solution"] = (1 - KNOWN * (1 - min(1.0, similarity))) / similarity
        if item.tier == "memory_bank" and (shared := self.entities.get(item.id, 0.0)) > 0:
            factors["entities"] = min(MOST_ENTITIES, 1 + ENTITY * shared)
        if (rate := self.effects.get(item.id)) is not None:
            scored = item.tier in SCORED
            factors["actions"] = LEAST_EFFECT + EFFECT * rate if scored else 1 + AUTHORITATIVE_EFFECT * rate
        return factors

    @staticmethod
    def boosted(similarity: float, factors: Mapping[str, float]) -> float:
        """``similarity`` multiplied by its factors, at most 1."""
        return min(1.0, similarity * math.prod(factors.values())) if factors else similarity


async def read_boosts(
    asked: RankingQuestion,
    items: Sequence[MemoryItem],
    known: Known | None,
    entities: Entities | None,
    effects: Effects | None,
) -> Boosts:
    """Read the boost values from each source; a source that fails is left out."""
    question = asked.analysis.text
    nobody: set[str] = set()
    nothing: Mapping[str, float] = {}
    return Boosts(
        frozenset(await _read_or_default(known(asked.user_id, question), nobody) if known else nobody),
        await _read_or_default(entities(asked.user_id, question, items), nothing) if entities else nothing,
        await _read_or_default(effects(asked.user_id, items), nothing) if effects else nothing,
    )


async def _read_or_default(reading: Awaitable[T], nothing: T) -> T:
    try:
        return await reading
    except Exception:
        log.warning("a boost was left out", exc_info=True)
        return nothing


def quality(item: MemoryItem) -> float:
    """A bank item's quality, 0..1; 0 for other items."""
    return item.quality.quality_score if item.tier == "memory_bank" and item.quality else 0.0


def distance_factor(item: MemoryItem) -> float:
    """Factor on a bank item's distance: `1 - 0.8 q`, at least 0.2."""
    return max(LEAST_DISTANCE, 1 - QUALITY * quality(item))


def authority(item: MemoryItem) -> float:
    """`1 + q` of a bank item, relative to the usual quality; 1 for any other tier."""
    return (1 + quality(item)) / (1 + USUAL_QUALITY) if item.tier == "memory_bank" else 1.0
