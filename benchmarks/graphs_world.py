"""A memory with its graphs in a temporary data directory; every ranking variant ranks the same candidates of each
search."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.conversations import Conversation, text_of
from benchmarks.outcomes_world import Panel
from benchmarks.temporary_workbench import PATIENCE, graph_of, open_workbench
from core.clock import system_clock
from core.ids import new_id
from core.knowledge.build import Graphs
from core.memory.items.records import ActionTaken, NewMemory
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.tier_routing import Routing, concepts_of
from core.memory.ranking.profiles import profile_of
from core.memory.recall.turn import Turn
from core.records.memory_meta import Tier
from core.resilience.dependencies import Deadline
from core.search.pipeline import Profile
from core.search.request import SearchRequest, silent
from core.setting_groups import Memory
from core.store.items import MEMORY, TIERS, Outcome
from core.workbench import Workbench

PLACES: tuple[Tier, ...] = ("history", "patterns", "memory_bank", "working")
WORTH = 0.7
"""Importance and confidence of every fact."""


@dataclass
class GraphWorld:
    """The memory. ``know`` and ``place`` fill it, ``ask`` ranks, ``teach`` gives feedback on answers."""

    workbench: Workbench
    graphs: Graphs
    variants: dict[str, Profile]
    panel: Panel

    def compare(self, *names: str) -> None:
        """Selects the variants that rank from now on; the first one determines the results."""
        self.panel = Panel({name: self.variants[name] for name in names}, names[0])

    async def know(self, user: str, talk: Conversation) -> dict[str, str]:
        """Stores every statement as a fact of the same quality; returns the ids of the facts by the places of the
        statements."""
        ids = {place: await self._fact(user, text_of(utterance)) for place, _, utterance in talk.turns}
        await self.settle(user)
        return ids

    async def place(self, user: str, talk: Conversation) -> dict[str, str]:
        """Puts each speaker's early and late statements in a separate tier; returns the ids by the places of the
        statements."""
        ids = {}
        for order, (place, session, utterance) in enumerate(talk.turns):
            who = talk.speakers.index(utterance.speaker) if utterance.speaker in talk.speakers else 0
            tier, text = PLACES[2 * (order >= len(talk.turns) // 2) + who], text_of(utterance)
            if tier == "memory_bank":
                ids[place] = await self._fact(user, text)
            else:
                new = NewMemory(tier=tier, kind="exchange", text=text, conversation_id=session.transcript.id)
                ids[place] = (await self.workbench.memory.store(user, new)).id
        await self.settle(user)
        return ids

    async def settle(self, user: str) -> None:
        """Waits until all feedback and texts are processed and the graph is loaded, because a search does not wait for
        that."""
        await graph_of(self.workbench, user)
        await self.graphs.growth.of(user)

    async def _fact(self, user: str, text: str) -> str:
        bank = self.workbench.memory.bank
        return (await bank.remember(user, text, importance=WORTH, confidence=WORTH)).item.id

    async def plan(self, user: str, question: str) -> dict[Tier, int]:
        """Returns how deeply each tier is searched for a question."""
        return await Routing(self.workbench.truth).plan(user, concepts_of(question), PLACES)

    async def ask(
        self,
        user: str,
        question: str,
        names: Sequence[str],
        limit: int,
        depths: Mapping[Tier, int] | None = None,
        tiers: Sequence[Tier] = TIERS,
    ) -> list[str]:
        """Returns the ids as ranked by the first variant; the orders of all variants are in ``panel``."""
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
        pipeline = self.workbench.retrieval.pipeline
        found = await pipeline.search(request, Deadline(PATIENCE), silent, self.panel.profile)
        return [hit.item.id for hit in found.hits]

    async def teach(self, user: str, question: str, used: Sequence[str], said: Outcome) -> None:
        """Records an answer based on ``used``, and the feedback on it."""
        memory, turn = self.workbench.memory, Turn(user, new_id("msg"), question)
        turn.shown([(item.id, item.tier) for item in await memory.items(user, used)])
        await memory.remember_answer(memory.record_of(turn, list(turn.tiers)))
        for tier in turn.tiers.values():
            await memory.record_action_outcome(user, turn.answer_id, ActionTaken(name="search_memory", tier=tier))
        await memory.record_feedback(user, turn.answer_id, said)


@asynccontextmanager
async def open_graph_world(cache: Path | None) -> AsyncIterator[GraphWorld]:
    async with open_workbench(cache) as workbench:
        retrieval, truth = workbench.retrieval, workbench.truth
        lessons = OutcomeExamples(truth)
        graphs = Graphs(truth, retrieval.items, ActionEffectiveness(truth), system_clock)
        constants, calibration = Memory(), retrieval.calibration
        variants = {
            "off": profile_of(constants, lessons, calibration),
            "entities": profile_of(constants, lessons, calibration, entities=graphs.entities),
            "actions": profile_of(constants, lessons, calibration, effects=graphs.effects),
            "solutions": profile_of(constants, lessons, calibration, lessons.solved),
        }
        yield GraphWorld(workbench, graphs, variants, Panel(variants, "off"))
