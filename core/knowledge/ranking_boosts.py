"""Calculates ranking boosts for a question's candidates from the graphs."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence

from core.knowledge.extraction.entities import extract
from core.knowledge.graph_sync import GraphSync
from core.knowledge.synced_graph import SyncedGraph
from core.memory.outcomes.action_effectiveness import LEAST_USES, ActionEffectiveness
from core.memory.outcomes.answers import ANSWERS
from core.memory.outcomes.scoring import PARTIAL
from core.resilience.ending import end
from core.store.items import SCORED, MemoryItem
from core.store.scope import ScopedTruth
from core.store.truth import Truth

log = logging.getLogger(__name__)

PATIENCE = 0.25
"""Maximum seconds that a search waits for the graph."""
WORTH = {"worked": 1.0, "partial": PARTIAL, "failed": 0.0}


class EntityBoost:
    """Boosts memory bank facts that share concepts with the question, by the concepts' average quality.

    Raises ``TimeoutError`` while the graph is being loaded; loading continues. The search that started loading waits a
    moment; searches that arrive during loading do not.
    """

    def __init__(self, growth: GraphSync) -> None:
        self._growth = growth
        self._late: dict[str, asyncio.Task[Mapping[str, float]]] = {}

    async def stop(self) -> None:
        await end(self._late.values())

    async def __call__(self, user_id: str, question: str, items: Sequence[MemoryItem]) -> Mapping[str, float]:
        """The sum of ``avg_quality`` by item id, only for memory bank facts."""
        facts = [item.id for item in items if item.tier == "memory_bank"]
        if not facts:
            return {}
        if user_id in self._late:
            raise TimeoutError
        reading = asyncio.create_task(self._shared(user_id, question, facts))
        try:
            async with asyncio.timeout(PATIENCE):
                return await asyncio.shield(reading)
        except TimeoutError:
            self._late[user_id] = reading
            reading.add_done_callback(lambda ended: self._loaded(user_id, ended))
            raise
        except BaseException:
            reading.cancel()
            raise

    def _loaded(self, user_id: str, ended: asyncio.Task[Mapping[str, float]]) -> None:
        self._late.pop(user_id, None)
        if not ended.cancelled() and (error := ended.exception()):
            log.warning("a graph could not be loaded: %s", error)

    async def _shared(self, user_id: str, question: str, facts: Sequence[str]) -> Mapping[str, float]:
        grown = await self._growth.of(user_id)
        asked = concepts_named(grown, question)
        sources = grown.content.sources
        shared = {item: asked.intersection(sources[item].concepts) for item in facts if item in sources}
        worth = {concept: grown.content.avg_quality(concept) for concept in set().union(*shared.values())}
        return {item: sum(worth[each] for each in names) for item, names in shared.items() if names}


class EffectBoost:
    """Success rate of the answers that used each candidate, if at least three did."""

    def __init__(self, truth: Truth, effectiveness: ActionEffectiveness) -> None:
        self._truth = truth
        self._effectiveness = effectiveness

    async def __call__(self, user_id: str, items: Sequence[MemoryItem]) -> Mapping[str, float]:
        """Success rate (0..1) by item id; *partial* counts one half."""
        rates = {
            item.id: (item.stats.worked_count + PARTIAL * item.stats.partial_count) / item.stats.uses
            for item in items
            if item.tier in SCORED and item.stats.uses >= LEAST_USES
        }
        documents = sorted({item.document_id for item in items if item.tier == "books" and item.document_id})
        if documents:
            known = await self._effectiveness.document_effect(user_id, documents)
            rates |= {item.id: known[item.document_id] for item in items if item.document_id in known}
        facts = [item.id for item in items if item.tier == "memory_bank"]
        return rates | (await self._of_facts(user_id, facts) if facts else {})

    async def _of_facts(self, user_id: str, facts: Sequence[str]) -> dict[str, float]:
        """Success rates of facts, from the outcomes of the answers that used them, because facts have no outcomes of
        their own."""
        rows = ScopedTruth(self._truth, user_id).collection(ANSWERS)
        rated = {"used": {"$in": list(facts)}, "outcome": {"$in": list(WORTH)}}
        scores: dict[str, list[float]] = defaultdict(list)
        for row in await rows.find(rated, fields=["used", "outcome"]):
            used = row.get("used")
            for fact in used if isinstance(used, list) else ():
                scores[str(fact)].append(WORTH[str(row["outcome"])])
        return {fact: sum(scores[fact]) / len(scores[fact]) for fact in facts if len(scores[fact]) >= LEAST_USES}


def concepts_named(grown: SyncedGraph, text: str) -> set[str]:
    """Ids of the concepts in ``text``; a given name without a family name means all people who have it."""
    found: set[str] = set()
    for span in extract(text).found:
        known = grown.catalogue.known(span.key)
        if known:
            found.add(known)
        if span.kind in ("person", "term") and " " not in span.key:
            found |= grown.catalogue.called(span.key)
    return found
