"""Provides the memory's interface for the agent and the pages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from core.clock import Clock
from core.errors import fail
from core.ids import NewId
from core.knowledge.graph_sync import GraphSync
from core.knowledge.queries import Knowledge
from core.memory.bank.bank import MemoryBank
from core.memory.bank.goals import Goals
from core.memory.corrections.correcting import Correcting
from core.memory.feedback import Feedback
from core.memory.inspection import Inspection
from core.memory.items.embedding import Embedder
from core.memory.items.making import item_of, takeaway_of
from core.memory.items.named_values import ArbitraryData
from core.memory.items.records import (
    AnswerRecord,
    NewMemory,
    OutcomeEffect,
    PromotionReport,
)
from core.memory.items.sourced import TakenIn, forget, take_in
from core.memory.items.transcripts import Transcript, items_of
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion_triggers import PromotionTriggers
from core.memory.maintenance.backup import BackupSummary, Export
from core.memory.maintenance.metrics import Metrics
from core.memory.maintenance.restore import Restore
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.context_types import detect_context_type
from core.memory.outcomes.learning import Learning
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.tier_routing import Routing, TierAdvice, concepts_of
from core.memory.profile.suggestions import ProfileSuggestions
from core.memory.recall.insights import ContextInsights
from core.memory.recall.recall import Recall
from core.memory.recall.records import MemoryQuery, MemorySearchResult
from core.memory.recall.search import MemorySearch
from core.memory.recall.turn import Turn
from core.memory.retrieval import Retrieval
from core.records.findings import FINDINGS, BookKind, Category
from core.search.request import Steps, silent
from core.setting_groups import Memory as Constants
from core.store.items import TIERS, MemoryItem, Outcome, Place


class BookEntry(BaseModel):
    """A library document, as it appears in memory lists."""

    id: str
    title: str
    filename: str
    chunks: int


class Books(Protocol):
    """The library's methods that the memory calls."""

    async def list_books(self, user_id: str) -> list[BookEntry]: ...

    async def remove_book(self, user_id: str, document_id: str) -> None: ...


class MemoryStats(BaseModel):
    """Counts of active items by tier and of all items by status, and the number of uses with an outcome."""

    tiers: dict[str, int]
    statuses: dict[str, int]
    bank_capacity: int


@dataclass(frozen=True)
class Services:
    """The parts of the memory."""

    items: MemoryItems
    embedder: Embedder
    search: MemorySearch
    recall: Recall
    insights: ContextInsights
    inspection: Inspection
    bank: MemoryBank
    goals: Goals
    profile: ProfileSuggestions
    data: ArbitraryData
    answers: Answers
    outcomes: Outcomes
    learning: Learning
    routing: Routing
    effectiveness: ActionEffectiveness
    feedback: Feedback
    corrections: Correcting
    promote: Callable[[str], Awaitable[PromotionReport]]
    export: Export
    restore: Restore
    books: Books
    index: Retrieval
    metrics: Metrics
    occasions: PromotionTriggers
    knowledge: Knowledge
    growth: GraphSync


class Memory:
    """The memory. Each call works for one user; access rights are checked in one place, when items are read.

    >>> run(workbench.memory.record_feedback("ada", answer_id, "worked")).outcome
    'worked'
    """

    def __init__(self, services: Services, clock: Clock, identifiers: NewId, settings: Constants) -> None:
        self.bank = services.bank
        self.corrections = services.corrections
        self.goals = services.goals
        self.inspection = services.inspection
        self.knowledge = services.knowledge
        self.profile = services.profile
        # These methods of the parts are offered unchanged.
        self.prefetch_context = services.recall.prefetch
        self.get_context_insights = services.insights.of
        self.detect_context_type = detect_context_type
        self.get_action_effectiveness = services.effectiveness.of
        self.items = services.items.load
        self.remember_answer = services.answers.remember
        self.answer = services.answers.get
        self.record_action_outcome = services.answers.add_action
        self.noticed_message = services.occasions.message
        self.record_outcome = services.feedback.record
        self.record_feedback = services.feedback.say
        self.undo_correction = services.feedback.undo_correction
        self.outcome_events_of = services.outcomes.of_answer
        self.list_books = services.books.list_books
        self.store_data = services.data.store
        self.retrieve_data = services.data.retrieve
        self.promote_now = services.promote
        self.consistency_check = services.index.check
        self.reindex = services.index.rebuild
        self.export_backup = services.export.export
        self._services = services
        self._clock = clock
        self._new_id = identifiers
        self._settings = settings

    # -- searching -------------------------------------------------------------------------

    async def search(self, query: MemoryQuery, steps: Steps = silent) -> MemorySearchResult:
        """Find memories in all tiers or the requested ones, with explained scores. Never raises."""
        result = await self._services.search.search(query, steps)
        self._services.metrics.record_search(result.record)
        return result

    async def retrieve_from_books(
        self,
        user_id: str,
        text: str,
        limit: int | None = None,
        *,
        kinds: Sequence[BookKind] = (),
        categories: Sequence[Category] = (),
    ) -> MemorySearchResult:
        """Passages of published books only, or findings that a model extracted from them. ``kinds`` and ``categories``
        limit the findings; passages have no categories."""
        wanted = kinds or (FINDINGS if categories else ())
        query = MemoryQuery(
            user_id=user_id, text=text, tiers=["books"], limit=limit, kinds=[*wanted], tags=[*categories]
        )
        return await self.search(query)

    async def get_cold_start_context(self, user_id: str) -> str:
        """The prompt block with known facts for a conversation's first answer; empty if nothing is known."""
        recall = self._services.recall
        return recall.known_context(await recall.cold_start(user_id))

    async def get_tier_recommendations(self, user_id: str, question: str) -> list[TierAdvice]:
        return await self._services.routing.recommend(user_id, concepts_of(question))

    async def get_user_context(self, user_id: str, most: int = 12) -> list[MemoryItem]:
        """What is known about the user: identity and preferences for answers, the best first."""
        about = {"tier": "memory_bank", "status": "active", "tags": {"$in": ["identity", "preference"]}}
        found = await self._services.items.find(user_id, about)
        return sorted(found, key=_by_quality)[:most]

    async def get_facts_for_entities(self, user_id: str, entities: Sequence[str]) -> list[MemoryItem]:
        """Memory bank facts that name one of the entities, the best first."""
        named = {"tier": "memory_bank", "status": "active", "entities": {"$in": list(entities)}}
        found = await self._services.items.find(user_id, named)
        return sorted(found, key=_by_quality)

    # -- remembering -----------------------------------------------------------------------

    async def store(self, user_id: str, new: NewMemory) -> MemoryItem:
        """Store a memory; facts of the bank are validated, and may be merged with an existing one.

        Raises:
            PalimpsestError: the bank refuses it, or it belongs in the library ("validation").
        """
        if new.tier == "books":
            raise fail("validation", "memory.books_stored")
        if new.tier == "memory_bank":
            return (await self.bank.add(user_id, new)).item
        before: list[MemoryItem] = []
        if new.conversation_id and not new.place.episode:
            where = {"place.episode": new.conversation_id}
            before = await self._services.items.find(user_id, where, sort=[("place.order", -1)], limit=1)
            order = before[0].place.order + 1 if before else 0
            new = new.model_copy(update={"place": Place(episode=new.conversation_id, order=order)})
        item = item_of(user_id, self._new_id("mem"), new, self._clock(), self._settings)
        if before and before[0].exchange:
            # A statement often does not name its subject; the statement before it does.
            item.embedding.prefix = f"User: {before[0].exchange.question}"
        await self._services.items.add(user_id, [item])
        self._services.embedder.wake()
        return item

    async def remember_transcript(self, user_id: str, transcript: Transcript) -> list[MemoryItem]:
        """Store a transcript, one item per statement, with its speakers; statements that are already stored stay
        unchanged."""
        items = items_of(user_id, transcript)
        known = {each.id for each in await self._services.items.find(user_id, {"place.episode": transcript.id})}
        await self._services.items.add(user_id, [item for item in items if item.id not in known])
        self._services.embedder.wake()
        return items

    async def take_in(self, user_id: str, source: str, texts: Mapping[str, str]) -> TakenIn:
        """Store statements from an external source as patterns, under the source's keys. A repeated import writes only
        changes and deletes statements that the source no longer has."""
        taken = await take_in(self._services.items, self._clock, user_id, source, texts)
        self._services.embedder.wake()
        return taken

    async def forget_source(self, user_id: str, source: str) -> int:
        """Delete everything imported from a source; returns how many statements."""
        return await forget(self._services.items, user_id, source)

    async def set_aside(self, user_id: str, answer_ids: Sequence[str]) -> None:
        """Exclude the exchanges that were stored with these answers from all contexts, until ``bring_back``."""
        await self._services.items.change_exchanges(user_id, answer_ids, "archived")

    async def bring_back(self, user_id: str, answer_ids: Sequence[str]) -> None:
        """Undo ``set_aside``."""
        await self._services.items.change_exchanges(user_id, answer_ids, "active")

    async def answers(self, user_id: str, answer_ids: Sequence[str]) -> dict[str, AnswerRecord]:
        """The records of several answers (the sources available to each), by answer id."""
        found = {each: await self.answer(user_id, each) for each in answer_ids}
        return {each: record for each, record in found.items() if record}

    # -- outcomes --------------------------------------------------------------------------

    async def record_response(
        self, turn: Turn, takeaway: str, outcome: Outcome = "unknown", related: Sequence[int | str] | None = None
    ) -> OutcomeEffect:
        """Record a model's own note on an answer. The takeaway is stored, and the memories that the answer used are
        scored, unless a user or the detector has already reported an outcome. Only searches of this turn (one
        question and its answer) count as used."""
        new = takeaway_of(takeaway, outcome, turn.conversation_id, turn.answer_id)
        await self.store(turn.user_id, new)
        await self.remember_answer(self.record_of(turn))
        return await self.record_outcome(
            turn.user_id, turn.answer_id, outcome, authority="model", used=turn.resolve(related)
        )

    def record_of(self, turn: Turn, used: Sequence[str] | None = None) -> AnswerRecord:
        """The record of the sources that were available to this turn's answer."""
        return AnswerRecord(
            id=turn.answer_id,
            user_id=turn.user_id,
            conversation_id=turn.conversation_id,
            question=turn.question,
            context_type=detect_context_type(turn.question),
            concepts=concepts_of(turn.question),
            positions=list(turn.tiers),
            used=list(used) if used is not None else None,
            tiers=turn.tiers,
            actions=turn.actions,
            tool_runs=turn.tool_runs,
            created_at=self._clock(),
        )

    # -- books and data --------------------------------------------------------------------

    async def remove_book(self, user_id: str, document_id: str) -> None:
        """Remove a book for all readers immediately; it is also removed from the statistics of actions."""
        await self._services.books.remove_book(user_id, document_id)
        await self._services.effectiveness.forget_documents(user_id, [document_id])

    # -- maintenance -----------------------------------------------------------------------

    async def stats(self, user_id: str) -> MemoryStats:
        items = self._services.items
        return MemoryStats(
            tiers={**dict.fromkeys(TIERS, 0), **await items.count_by(user_id, "tier", {"status": "active"})},
            statuses=await items.count_by(user_id, "status", {}),
            bank_capacity=self._settings.bank_capacity,
        )

    async def import_backup(self, user_id: str | None, path: Path, *, dry_run: bool = False) -> BackupSummary:
        """Restore a backup as this user's data, or with ``None`` for all users (administrators only); or only report
        what a restore would do.

        Raises:
            PalimpsestError: the file is not a backup, is damaged or another user's; nothing has changed.
        """
        restore = self._services.restore
        return await (restore.inspect(path, user_id) if dry_run else restore.restore(path, user_id))

    async def settle(self) -> None:
        """Wait until feedback has been learned, and stored items are in the graph and have their vectors."""
        await self._services.learning.settle()
        await self._services.growth.read_noticed()
        await self._services.embedder.drain()


def _by_quality(item: MemoryItem) -> tuple[float, str]:
    return -(item.quality.quality_score if item.quality else 0.0), item.id
