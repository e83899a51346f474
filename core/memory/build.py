"""Builds the memory from the retrieval and library services: a ``Memory`` with all its parts and background tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.clock import Clock
from core.ids import NewId
from core.knowledge.build import Graphs
from core.knowledge.model_extraction import ModelReader
from core.memory.bank.bank import MemoryBank
from core.memory.bank.deduplication import Deduplication, ModelMerger, SimilarItems
from core.memory.bank.goals import Goals
from core.memory.bank.versions import Versions
from core.memory.corrections.correcting import Correcting
from core.memory.corrections.finding import PassageFinder
from core.memory.corrections.records import Correction
from core.memory.corrections.store import CORRECTIONS, Corrections
from core.memory.feedback import Feedback
from core.memory.inspection import Inspection
from core.memory.items.named_values import ArbitraryData
from core.memory.items.records import PromotionReport
from core.memory.items.speakers import Speakers
from core.memory.lifecycle.promotion import Promotion
from core.memory.lifecycle.promotion_triggers import PromotionTriggers
from core.memory.lifecycle.rewriting import ModelRewriter, Rewriting
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
from core.memory.outcomes.tier_routing import COLD, Routing, concepts_of
from core.memory.profile.records import ProfileSuggestion
from core.memory.profile.suggestions import OFFERS, ProfileSuggestions
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
from core.records.memory_meta import Tier
from core.runs.changes import Changes
from core.runs.scheduler import Idle, Scheduler, attempt
from core.runs.shared_round import EVERYONE, ONE_ROUND, SharedRound
from core.settings import Settings
from core.store.files import FileStore
from core.store.truth import Truth

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

MINUTE = 60.0
GRAPH_ROUNDS_APART = 1.0
"""Seconds between graph updates: when many files are read in a row, one update processes the texts of several."""
GRAPH_ROUND_LASTS = 60.0
"""Seconds after which a process that is reading a user's texts into the graph counts as crashed."""


@dataclass
class MemoryServices:
    """All services of the memory. Other packages need only ``memory``; call ``start`` before use and ``stop`` at the
    end."""

    _settings: Settings
    _truth: Truth
    _retrieval: Retrieval
    _files: FileStore
    _books: Books
    _book_sections: Sequence[Section]
    _clock: Clock
    _new_id: NewId
    _owner: str
    _models: ChatModels
    _idle: Idle
    _annexes: Sequence[Annex]
    _dispatch: Callable[[str], Dispatch | None]

    def __post_init__(self) -> None:
        self._stack = AsyncExitStack()
        self._constants = self._settings.memory
        self._items = self._retrieval.items
        self._prompts = Prompts(self._settings.folder / "prompts")
        self._model = PurposeModel(self._models, None, "detection")
        self._build_outcomes()
        self._build_bank()
        self._build_graphs()
        self._build_promotion()
        self._build_recall()
        self._build_backups()
        self.memory = Memory(self._services(), self._clock, self._new_id, self._constants)

    def _build_outcomes(self) -> None:
        self._answers, self._lessons = Answers(self._truth), OutcomeExamples(self._truth)
        self._routing, self._effectiveness = Routing(self._truth), ActionEffectiveness(self._truth)
        self._changes = Changes()
        self._learning = Learning(
            self._truth, self._answers, self._routing, self._effectiveness, self._clock, self._changes
        )
        self._outcomes = Outcomes(
            self._truth, self._items, self._answers, self._lessons, self._clock, self._new_id, self._constants,
            self._retrieval.embeddings, self._retrieval.dependencies.embeddings,
        )  # fmt: skip
        self._corrections = Corrections(self._truth)
        self._correcting = Correcting(self._corrections, PassageFinder(self._retrieval), self._retrieval, self._clock)

    def _build_bank(self) -> None:
        retrieval = self._retrieval
        self._versions = Versions(self._truth, self._clock)
        similar = SimilarItems(
            self._truth, self._items, retrieval.index, retrieval.embeddings, retrieval.dependencies.embeddings
        )
        merger = ModelMerger(self._model, self._prompts, self._model.configured)
        dedup = Deduplication(similar, retrieval.calibration, self._constants.dedup_similarity, merger)
        self._bank = MemoryBank(self._truth, self._items, self._versions, dedup, self._clock, self._constants)
        self._offers = ProfileSuggestions(self._truth, self._bank, dedup, self._clock)

    def _build_graphs(self) -> None:
        reader = ModelReader(self._model, self._prompts, self._model.configured)
        self._graphs = Graphs(
            self._truth, self._items, self._effectiveness, self._clock, reader, self._idle, self._changes
        )
        often, later = self._constants.consistency_minutes * MINUTE, self._settings.jobs.upkeep_after
        self._graph_round = self._round("graph", self._graphs.growth.read, GRAPH_ROUND_LASTS, until_done=True)
        self._reading = Scheduler("knowledge", self._graph_is_due, often, first=later, apart=GRAPH_ROUNDS_APART)
        self._items.subscribe(self._sync_graph_soon)
        self._consistency = self._round("consistency", lambda _: self._retrieval.check(), often * ONE_ROUND)
        self._checking = Scheduler("consistency", self._consistency.due, often, first=later)

    def _build_promotion(self) -> None:
        """Build promotion; memories that keep failing are reworded if a model is configured for it."""
        rewriter = ModelRewriter(self._model, self._prompts, self._model.configured)
        rewriting = Rewriting(self._items, self._lessons, self._versions, rewriter)
        self._promotion = Promotion(
            self._truth, self._items, self._clock, self._constants, self._owner, rewriting, self._settings.jobs.lease
        )
        self._promotion_round = self._round("promotion", self._promote)
        seconds = self._constants.promote_minutes * MINUTE
        self._promoting = Scheduler("promotion", self._promotion_is_due, seconds)
        self._occasions = PromotionTriggers(
            self._constants.promote_messages, seconds, self._clock, self._promoting.call
        )
        self._feedback = Feedback(
            self._items, self._answers, self._outcomes, self._lessons, self._learning, self._promote_unless_off,
            self._occasions, self._retrieval.metrics, self._retrieval.calibration, self._constants, self._correcting,
        )  # fmt: skip
        self._stack.push_async_callback(self._feedback.stop)

    def _build_recall(self) -> None:
        constants, retrieval = self._constants, self._retrieval
        ranking = profile_of(
            constants,
            self._lessons,
            retrieval.calibration,
            self._lessons.solved if constants.known_solutions else None,
            self._graphs.entities if constants.entity_boost else None,
            self._graphs.effects if constants.action_boost else None,
        )
        self._search = MemorySearch(
            lambda: retrieval.pipeline, ranking, self._plan, self._clock, constants,
            self._settings.deadlines.retrieval, Speakers(self._items, self._clock).of,
        )  # fmt: skip
        self._insights = ContextInsights(
            retrieval.index, self._items, self._lessons, self._routing, self._effectiveness,
            retrieval.dependencies.lexical, self._clock,
        )  # fmt: skip

    def _build_backups(self) -> None:
        retrieval = self._retrieval
        sections = (
            *SECTIONS,
            Section(OFFERS, ProfileSuggestion),
            Section(CORRECTIONS, Correction),
            *self._book_sections,
            Section(TEMPLATES, TemplateRow, restamp=template_of_user),
            Section(ACTIVE, ActiveRow, restamp=choice_of_user),
            Section(PREFERENCES, identifier=PREFERENCES_ID, restamp=preferences_of_user),
        )
        self._export = Export(
            self._truth, retrieval.points, self._files, sections, retrieval.schema.model, self._clock, self._annexes
        )
        self._restore = Restore(
            self._truth, retrieval.points, self._files, sections, retrieval.schema, retrieval.fits, retrieval.recount,
            self._clock, self._annexes,
        )  # fmt: skip

    def _services(self) -> Services:
        return Services(
            items=self._items,
            embedder=self._retrieval.embedder,
            search=self._search,
            recall=Recall(self._search, self._insights, self._bank, self._prompts),
            insights=self._insights,
            inspection=Inspection(
                self._items, self._promotion, self._versions, self._lessons, self._answers, self._clock, self._constants
            ),
            bank=self._bank,
            goals=Goals(self._bank),
            profile=self._offers,
            data=ArbitraryData(self._truth, self._clock),
            answers=self._answers,
            outcomes=self._outcomes,
            learning=self._learning,
            routing=self._routing,
            effectiveness=self._effectiveness,
            feedback=self._feedback,
            corrections=self._correcting,
            promote=self._promote_now,
            export=self._export,
            restore=self._restore,
            books=self._books,
            index=self._retrieval,
            metrics=self._retrieval.metrics,
            occasions=self._occasions,
            knowledge=self._graphs.reading,
            growth=self._graphs.growth,
        )

    def _rounds(self) -> tuple[SharedRound, ...]:
        return self._promotion_round, self._graph_round, self._consistency

    def _round(
        self, name: str, work: Callable[[str], Awaitable[object]], apart: float = 0.0, *, until_done: bool = False
    ) -> SharedRound:
        return SharedRound(name, work, self._dispatch(name), self._settings.jobs.workers, apart, until_done=until_done)

    async def start(self) -> None:
        """Finish what a crash interrupted; then start learning, promotion and the consistency check as tasks."""
        for service in (
            self._answers, self._lessons, self._routing, self._effectiveness, self._bank, self._outcomes,
            self._promotion, self._offers, self._graphs, self._corrections,
        ):  # fmt: skip
            await service.ensure()
        await self._restore.discard_unfinished()
        await self._outcomes.resume()
        await self._learning.start()
        self._stack.push_async_callback(self._learning.stop)
        self._stack.push_async_callback(self._graphs.entities.stop)
        for each in self._rounds():
            await each.start()
            self._stack.push_async_callback(each.stop)
        for scheduler in (self._promoting, self._checking, self._reading):
            await scheduler.start()
            self._stack.push_async_callback(scheduler.stop)

    async def drain(self) -> None:
        """Stop starting promotions, consistency checks and graph updates in this process; other processes do them from
        now on."""
        await asyncio.gather(*(each.drain() for each in self._rounds()))

    async def stop(self) -> None:
        await self._stack.aclose()

    def _sync_graph_soon(self, user_id: str) -> None:
        """Schedule reading of newly written texts into the graph."""
        self._graphs.growth.touched(user_id)
        self._reading.call()

    async def _graph_is_due(self) -> None:
        """Start graph updates for users with unread texts. A user whose texts are being read gets another update
        afterwards, because the running one may have started before the newest texts were written."""
        growth = self._graphs.growth
        being_read: list[str] = []
        while (whose := growth.take_due()) is not None:
            try:
                if not await self._graph_round.due(whose):
                    being_read.append(whose)
            except BaseException:
                growth.give_back(whose)
                raise
        for each in being_read:
            growth.give_back(each)
        if any(being_read):
            self._reading.call()

    async def _promotion_is_due(self) -> None:
        """Start promotions that are due. One user's failure does not delay others; the next run for all users includes
        that user."""
        while (whose := self._occasions.take()) is not None:
            await attempt("promotion", self._promotion_round.due(whose))

    async def _promote(self, whose: str) -> None:
        """Run promotion and repeat learning that failed earlier. A run for all users takes long, so questions have
        priority."""
        await self._idle()
        if whose == EVERYONE:
            await self._learning.sweep()
            await self._correcting.compact()
        await self._promote_unless_off(whose)

    async def _promote_unless_off(self, whose: str) -> None:
        reports: list[PromotionReport] = []
        if self._constants.promotion:
            reports = await self._promotion.run_all() if whose == EVERYONE else [await self._promotion.run(whose)]
        if whose == EVERYONE:
            await self._note_promotion(reports)
        else:
            self._count_promoted(reports)
        if any(each.busy for each in reports):  # another process holds the lease, or crashed while holding it
            asyncio.get_running_loop().call_later(self._settings.jobs.lease, self._occasions.due, whose)

    async def _promote_now(self, user_id: str) -> PromotionReport:
        report = await self._promotion.run(user_id)
        await self._note_promotion([report])
        return report

    async def _plan(self, user_id: str, question: str, tiers: Sequence[Tier]) -> dict[Tier, int]:
        if not self._constants.routing_plan:
            return dict.fromkeys(tiers, COLD)
        return await self._routing.plan(user_id, concepts_of(question), tiers)

    async def take_over(self) -> None:
        """Continue promotions that crashed processes left."""
        if reports := await self._promotion.take_over():
            await self._note_promotion(reports)

    def _count_promoted(self, reports: Sequence[PromotionReport]) -> None:
        self._retrieval.metrics.count("promotions", sum(each.count("promoted") for each in reports))

    async def _note_promotion(self, reports: Sequence[PromotionReport]) -> None:
        self._count_promoted(reports)
        looked_at, moved = sum(each.checked for each in reports), sum(len(each.transitions) for each in reports)
        done = Done(at=self._clock(), looked_at=looked_at, found=moved, changed=moved)
        await self._retrieval.last_done.note("promotion", done)
