"""A memory in a temporary home whose graphs are there, ranked by every variant at once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.outcomes_world import Panel
from benchmarks.shelf import BATCH, PATIENCE, KeptEmbeddings, _dependencies, _no_fallback, open_stores
from core.clock import system_clock
from core.ids import new_id
from core.knowledge.build import Graphs
from core.memory.items.records import ActionTaken, AnswerRecord
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.solutions import Solutions
from core.memory.outcomes.tier_routing import Routing, concepts_of
from core.memory.ranking.profiles import profile_of
from core.resilience.dependencies import Deadline, Dependency
from core.search.pipeline import Profile, SearchPipeline
from core.search.request import SearchRequest, silent
from core.settings import Memory
from core.store.items import MEMORY, TIERS, MemoryItem, Outcome, Tier


@dataclass
class GraphWorld:
    items: MemoryItems
    answers: Answers
    outcomes: Outcomes
    routing: Routing
    effectiveness: ActionEffectiveness
    graphs: Graphs
    embeddings: KeptEmbeddings
    pipeline: SearchPipeline
    variants: dict[str, Profile]
    panel: Panel

    def compare(self, *names: str) -> None:
        """Rank by these from now on; the first one leads."""
        self.panel = Panel({name: self.variants[name] for name in names}, names[0])

    async def remember(self, user: str, memories: Sequence[MemoryItem]) -> None:
        """Store them, vectors and graph included."""
        await self.items.add(user, memories)
        while waiting := await self.items.pending_vectors(user, None, BATCH):
            vectors = await self.embeddings.embed_passages([item.embedded_text for item in waiting])
            await self.items.set_vectors(waiting, vectors)
        await self.graphs.growth.read_in(user)

    async def ask(
        self,
        user: str,
        question: str,
        names: Sequence[str],
        limit: int,
        depths: Mapping[Tier, int] | None = None,
        tiers: Sequence[Tier] = TIERS,
    ) -> list[str]:
        """Ids by the variant that leads; all variants' orders are in ``panel``."""
        request = SearchRequest(
            user,
            question,
            limit=limit,
            tiers=tiers,
            scopes=(MEMORY,),
            depths=dict(depths or {}),
            episodic=True,
            names=tuple(names),
        )
        found = await self.pipeline.search(request, Deadline(PATIENCE), silent, self.panel.profile)
        return [hit.item.id for hit in found.hits]

    async def teach(self, user: str, question: str, used: Sequence[MemoryItem], said: Outcome) -> None:
        """An answer that rested on ``used``, and what was said of it."""
        record = AnswerRecord(
            id=new_id("msg"),
            user_id=user,
            question=question,
            concepts=concepts_of(question),
            positions=[item.id for item in used],
            used=[item.id for item in used],
            tiers={item.id: item.tier for item in used},
            actions=[ActionTaken(name="search_memory", tier=item.tier) for item in used],
            created_at=system_clock(),
        )
        await self.answers.remember(record)
        await self.outcomes.record(user, record.id, said)
        await self.routing.learn(record, said, system_clock())


@asynccontextmanager
async def open_graph_world(cache: Path | None) -> AsyncIterator[GraphWorld]:
    async with open_stores(cache) as stores:
        settings, truth, index = stores.settings, stores.truth, stores.index
        items, embeddings = stores.items, stores.embeddings
        answers, lessons = Answers(truth), OutcomeExamples(truth)
        patient = Dependency("The embedding model", PATIENCE)
        outcomes = Outcomes(truth, items, answers, lessons, system_clock, new_id, settings.memory, embeddings, patient)
        effectiveness, routing = ActionEffectiveness(truth), Routing(truth)
        graphs = Graphs(truth, items, effectiveness, system_clock)
        for service in (answers, lessons, outcomes, effectiveness, routing, graphs):
            await service.ensure()
        known, calibration = Solutions(truth).known, embeddings.identity.calibration
        constants = Memory()
        variants = {
            "off": profile_of(constants, lessons, calibration),
            "entities": profile_of(constants, lessons, calibration, entities=graphs.entities),
            "actions": profile_of(constants, lessons, calibration, effects=graphs.effects),
            "solutions": profile_of(constants, lessons, calibration, known),
        }
        pipeline = SearchPipeline(
            index, embeddings, None, items.load, _no_fallback, _dependencies(), settings.search, around=items.around
        )
        yield GraphWorld(
            items,
            answers,
            outcomes,
            routing,
            effectiveness,
            graphs,
            embeddings,
            pipeline,
            variants,
            Panel(variants, "off"),
        )
