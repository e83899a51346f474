"""Builds the memory: *retrieval, library as books* → ``Memory`` with all it is made of, kept going."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Protocol

from core.clock import Clock
from core.ids import NewId
from core.knowledge.build import Graphs
from core.knowledge.model_extraction import ModelReader
from core.memory.bank.bank import MemoryBank
from core.memory.bank.deduplication import Deduplication, SimilarItems
from core.memory.bank.goals import Goals
from core.memory.bank.versions import Versions
from core.memory.feedback import Feedback
from core.memory.inspection import Inspection
from core.memory.items.named_values import ArbitraryData
from core.memory.items.records import PromotionReport
from core.memory.items.speakers import Speakers
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.model_rewriter import ModelRewriter
from core.memory.lifecycle.promotion import Promotion
from core.memory.lifecycle.rewriting import Rewriting
from core.memory.maintenance.annexes import Annex
from core.memory.maintenance.backup import SECTIONS, Export, Section
from core.memory.maintenance.last_done import Done
from core.memory.maintenance.restore import Restore
from core.memory.memory import Books, Memory, Services
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.solutions import Solutions
from core.memory.outcomes.tier_routing import COLD, Routing, concepts_of
from core.memory.profile.records import ProfileSuggestion
from core.memory.profile.suggestions import OFFERS, Profile, ProfileSuggestions
from core.memory.ranking.profiles import profile_of
from core.memory.recall.insights import ContextInsights
from core.memory.recall.recall import Recall
from core.memory.recall.search import MemorySearch
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.models.structured import PurposeModel
from core.personality.personalities import (
    ACTIVE,
    TEMPLATES,
    ActiveRow,
    TemplateRow,
    choice_of_user,
    template_of_user,
)
from core.personality.preferences import COLLECTION as PREFERENCES
from core.personality.preferences import PREFERENCES_ID, preferences_of_user
from core.prompts.templates import Prompts
from core.runs.changes import Changes
from core.runs.scheduler import Idle, PromotionTriggers, Scheduler
from core.runs.shared_round import ONE_ROUND, SharedRound
from core.settings import Settings
from core.store.files import FileStore
from core.store.items import Tier
from core.store.truth import Truth

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

log = logging.getLogger(__name__)

MINUTE = 60.0


class _Ensured(Protocol):
    async def ensure(self) -> None: ...


class MemoryServices:
    """``memory`` is all that others need; ``start`` before use, ``stop`` at the end."""

    def __init__(
        self,
        settings: Settings,
        truth: Truth,
        retrieval: Retrieval,
        files: FileStore,
        books: Books,
        book_sections: Sequence[Section],
        clock: Clock,
        identifiers: NewId,
        owner: str,
        models: ChatModels | None = None,
        idle: Idle | None = None,
        annexes: Sequence[Annex] = (),
        dispatch: Callable[[str], Dispatch | None] = lambda _: None,
    ) -> None:
        self._retrieval = retrieval
        self._clock = clock
        self._stack = AsyncExitStack()
        self._constants = settings.memory
        constants, items = settings.memory, retrieval.items
        answers, lessons, routing = Answers(truth), OutcomeExamples(truth), Routing(truth)
        effectiveness, versions = ActionEffectiveness(truth), Versions(truth, clock)
        dependencies = retrieval.dependencies
        similar = SimilarItems(truth, items, retrieval.index, retrieval.embeddings, dependencies.embeddings)
        calibration = retrieval.calibration
        dedup = Deduplication(similar, calibration, constants.dedup_similarity)
        bank = MemoryBank(truth, items, versions, dedup, clock, constants)
        offers = ProfileSuggestions(truth, bank, dedup, clock)
        changes = Changes()
        self._learning = Learning(truth, answers, routing, effectiveness, clock, changes)
        rewriting = _rewriting(items, lessons, versions, models, settings)
        self._promotion = Promotion(truth, items, clock, constants, owner, rewriting, settings.jobs.lease)
        self._lease = settings.jobs.lease
        self._outcomes = Outcomes(
            truth,
            items,
            answers,
            lessons,
            clock,
            identifiers,
            constants,
            retrieval.embeddings,
            dependencies.embeddings,
        )
        self._idle = idle
        workers = settings.jobs.workers
        promotion = SharedRound("promotion", self._promote, dispatch("promotion"), workers)
        self._promoting = Scheduler("promotion", promotion.due, constants.promote_minutes * MINUTE)
        occasions = PromotionTriggers(constants.promote_messages, self._promoting.call)

        async def promote(user_id: str) -> PromotionReport:
            report = await self._promotion.run(user_id)
            await self._note_promotion([report])
            return report

        feedback = Feedback(
            items,
            answers,
            self._outcomes,
            lessons,
            self._learning,
            promote,
            occasions,
            retrieval.metrics,
            calibration,
            constants,
        )
        self._stack.push_async_callback(feedback.stop)
        self._graphs = Graphs(truth, items, effectiveness, clock, _reader(models, settings), idle, changes)
        often, later = constants.consistency_minutes * MINUTE, settings.jobs.upkeep_after
        self._graph_round = SharedRound("graph", self._graphs.growth.read, dispatch("graph"), workers)
        self._reading = Scheduler("knowledge", self._graph_is_due, often, first=later)
        items.subscribe(self._sync_graph_soon)
        consistency = SharedRound(
            "consistency", lambda _: retrieval.check(), dispatch("consistency"), workers, often * ONE_ROUND
        )
        self._checking = Scheduler("consistency", consistency.due, often, first=later)
        self._rounds = (promotion, self._graph_round, consistency)
        insights = ContextInsights(retrieval.index, items, lessons, routing, effectiveness, dependencies.lexical, clock)

        async def plan(user_id: str, question: str, tiers: Sequence[Tier]) -> dict[Tier, int]:
            if not constants.routing_plan:
                return dict.fromkeys(tiers, COLD)
            return await routing.plan(user_id, concepts_of(question), tiers)

        search = MemorySearch(
            lambda: retrieval.pipeline,
            profile_of(
                constants,
                lessons,
                calibration,
                Solutions(truth).known if constants.known_solutions else None,
                self._graphs.entities if constants.entity_boost else None,
                self._graphs.effects if constants.action_boost else None,
            ),
            plan,
            clock,
            constants,
            settings.deadlines.retrieval,
            Speakers(items, clock).of,
        )
        sections = (
            *SECTIONS,
            Section(OFFERS, ProfileSuggestion),
            *book_sections,
            Section(TEMPLATES, TemplateRow, restamp=template_of_user),
            Section(ACTIVE, ActiveRow, restamp=choice_of_user),
            Section(PREFERENCES, identifier=PREFERENCES_ID, restamp=preferences_of_user),
        )
        self._restore = Restore(
            truth, retrieval.points, files, sections, retrieval.schema, retrieval.fits, retrieval.recount, clock,
            annexes,
        )  # fmt: skip
        self._ensured: list[_Ensured] = [answers, lessons, routing, effectiveness, bank, self._outcomes]
        self._ensured += [self._promotion, offers, self._graphs]
        self.memory = Memory(
            Services(
                items=items,
                embedder=retrieval.embedder,
                search=search,
                recall=Recall(search, insights, bank, Prompts(settings.folder / "prompts")),
                insights=insights,
                inspection=Inspection(items, self._promotion, versions, lessons, answers, clock, constants),
                bank=bank,
                goals=Goals(bank),
                profile=Profile(offers),
                data=ArbitraryData(truth, clock),
                answers=answers,
                outcomes=self._outcomes,
                learning=self._learning,
                routing=routing,
                effectiveness=effectiveness,
                feedback=feedback,
                promote=promote,
                export=Export(truth, retrieval.points, files, sections, retrieval.schema.model, clock, annexes),
                restore=self._restore,
                books=books,
                index=retrieval,
                metrics=retrieval.metrics,
                occasions=occasions,
                knowledge=self._graphs.reading,
                growth=self._graphs.growth,
            ),
            clock,
            identifiers,
            constants,
        )

    async def start(self) -> None:
        """Finish what a crash left, then learn, promote and compare in the background."""
        for service in self._ensured:
            await service.ensure()
        await self._restore.discard_unfinished()
        await self._outcomes.resume()
        await self._learning.start()
        self._stack.push_async_callback(self._learning.stop)
        self._stack.push_async_callback(self._graphs.entities.stop)
        for scheduler in (*self._rounds, self._promoting, self._checking, self._reading):
            await scheduler.start()
            self._stack.push_async_callback(scheduler.stop)

    async def stop(self) -> None:
        await self._stack.aclose()

    def _sync_graph_soon(self, user_id: str) -> None:
        """Something was written: it is read into the graph soon."""
        self._graphs.growth.touched(user_id)
        self._reading.call()

    async def _graph_is_due(self) -> None:
        growth = self._graphs.growth
        while (whose := growth.take_due()) is not None:
            try:
                await self._graph_round.due(whose)
            except BaseException:
                growth.give_back(whose)
                raise

    async def _promote(self, _: str) -> list[PromotionReport]:
        """Also what could not be learned when it was said. Everyone's memories are looked at, so questions go first."""
        if self._idle:
            await self._idle()
        await self._learning.sweep()
        reports = await self._promotion.run_all() if self._constants.promotion else []
        await self._note_promotion(reports)
        if any(each.busy for each in reports):  # held by another process, or by one that died over it
            asyncio.get_running_loop().call_later(self._lease, self._promoting.call)
        return reports

    async def take_over(self) -> None:
        """What processes that died have left of promotions."""
        if reports := await self._promotion.take_over():
            await self._note_promotion(reports)

    async def _note_promotion(self, reports: Sequence[PromotionReport]) -> None:
        looked_at, moved = sum(each.checked for each in reports), sum(len(each.transitions) for each in reports)
        self._retrieval.metrics.count("promotions", sum(each.count("promoted") for each in reports))
        done = Done(at=self._clock(), looked_at=looked_at, found=moved, changed=moved)
        await self._retrieval.last_done.note("promotion", done)


def _rewriting(
    items: MemoryItems, lessons: OutcomeExamples, versions: Versions, models: ChatModels | None, settings: Settings
) -> Rewriting | None:
    """Failing memories are worded anew where there is a model for it."""
    if models is None:
        return None
    model = PurposeModel(models, None, "detection")
    rewriter = ModelRewriter(model, Prompts(settings.folder / "prompts"), model.configured)
    return Rewriting(items, lessons, versions, rewriter)


def _reader(models: ChatModels | None, settings: Settings) -> ModelReader | None:
    if models is None:
        return None
    model = PurposeModel(models, None, "detection")
    return ModelReader(model, Prompts(settings.folder / "prompts"), model.configured)
