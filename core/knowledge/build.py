"""Builds the services of the knowledge graph on the memory's stores."""

from __future__ import annotations

from core.clock import Clock
from core.knowledge.content_store import READ, RELATED, ContentStore
from core.knowledge.evidence import ConceptEvidence
from core.knowledge.graph_sync import GraphSync, MentionReader
from core.knowledge.history import HistoryReader
from core.knowledge.outcome_edges import OutcomeEdgeStore
from core.knowledge.queries import Knowledge
from core.knowledge.ranking_boosts import EffectBoost, EntityBoost
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.runs.changes import Changes
from core.runs.scheduler import Idle
from core.store.truth import Truth


class Graphs:
    """The graph's services: ``reading`` for pages and the agent, ``growth`` for maintenance, ``entities`` and
    ``effects`` for ranking."""

    def __init__(
        self,
        truth: Truth,
        items: MemoryItems,
        effectiveness: ActionEffectiveness,
        clock: Clock,
        reader: MentionReader | None = None,
        idle: Idle | None = None,
        changes: Changes | None = None,
    ) -> None:
        learned, changes = OutcomeEdgeStore(truth), changes or Changes()
        self.growth = GraphSync(ContentStore(truth, RELATED if reader else READ), clock, reader, idle, changes)
        self.reading = Knowledge(
            self.growth, learned, ConceptEvidence(truth, items), HistoryReader(truth, learned), clock, changes
        )
        self.entities = EntityBoost(self.growth)
        self.effects = EffectBoost(truth, effectiveness)
        self._learned = learned

    async def ensure(self) -> None:
        await self.growth.ensure()
        await self._learned.ensure()
