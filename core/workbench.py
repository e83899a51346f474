"""Builds the workbench: creates all services once, starts and stops them (composition root)."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import cached_property, partial

from core.account_removal import AccountRemoval
from core.accounts.accounts import Accounts
from core.accounts.api_keys import ApiKeys
from core.accounts.audit import Audit
from core.clock import Clock, system_clock
from core.conversation_removal import ConversationRemoval
from core.coordination.coordination import Coordination
from core.datasets.build import DatasetServices
from core.datasets.tools.build import DataTools
from core.events import Action
from core.figures.stored.build import FigureServices
from core.figures.tools.build import figure_tools
from core.graph.agent import AgentServices
from core.graph.interrupts import Reply
from core.graph.memory.program_tools import ProgramTools
from core.graph.memory.scoring import refuse_unscored
from core.graph.state import STATE_TYPES
from core.ids import NewId, new_id
from core.knowledge.queries import Knowledge
from core.library.books import BOOK_SECTIONS, LibraryBooks
from core.library.build import LibraryServices
from core.library.catalogue import Catalogue
from core.library.intake.submission import Submission
from core.library.intake.uploads import Uploads
from core.library.mentions import Mentions
from core.library.searchable import CatalogueDocuments
from core.library.transcript import transcript_of
from core.memory.build import MemoryServices
from core.memory.maintenance.annexes import Checkpoints, Installation
from core.memory.maintenance.metrics import Metrics
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.models.configuration.chosen import ChosenModels
from core.models.configuration.local_models import local_models
from core.models.configuration.records import LocalModels
from core.models.configuration.search_services import SearchService, find_search_services
from core.models.model_server import find_local_servers
from core.operations.figures.counted import Counted
from core.operations.health import HealthReport
from core.operations.moving.held import HeldForMove
from core.operations.operations import Operations
from core.operations.upkeep import Upkeep
from core.personality.personalities import Personalities
from core.personality.preferences import PreferencesStore
from core.records.interrupts import PlanStep
from core.resilience.dependencies import Observation
from core.resilience.health import Health
from core.resilience.read_only import ReadOnly
from core.resilience.responsiveness import Responsiveness
from core.review.prompt_injection import is_injected
from core.review.refutation import is_refuted
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.runs.records import AcceptedQuestion, Ask, Conversation, Run
from core.runs.runner import Runner
from core.runs.scheduler import Scheduler
from core.runs.spending import Spending
from core.setting_groups import ModeName
from core.settings import Settings
from core.store.checkpoints import open_checkpointer, scrub
from core.store.items import MemoryItem
from core.store.migrations.upgrade import upgrade
from core.store.open import open_files, open_truth
from core.store.overrides import Overrides
from core.store.room import refuse_start_without_room
from core.store.storage import Storage, storage_of
from core.tools.build import ToolServices
from core.tools.web.web_pages import WebPages
from core.traces import Traces, hold_langsmith

UNDO_SECONDS = 60.0
MAINTENANCE_SECONDS = 30.0
DEAD_SECONDS = 5.0
"""Seconds between two searches for work that crashed processes have left."""


class Workbench:
    """The workbench; pages use only this object. ``start`` before use, ``stop`` at the end."""

    def __init__(
        self, settings: Settings, clock: Clock = system_clock, identifiers: NewId = new_id, *, serves: bool = True
    ) -> None:
        self.settings = settings
        self._clock, self._new_id = clock, identifiers
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{identifiers('proc')}"
        self._stack = AsyncExitStack()
        self.read_only = ReadOnly()
        self.truth = open_truth(settings, self.read_only)
        self._metrics = Metrics()
        self.responsiveness = Responsiveness(clock)
        self._metrics.export(self.responsiveness)
        self.coordination = Coordination(settings, self._metrics.observe, self._owner)
        self.overrides = Overrides(self.truth, settings, clock, self.coordination.tell_of_change)
        self.ledger = RunLedger(
            self.truth, clock, identifiers, self._owner, settings.jobs, self.coordination.announcements
        )
        self._runner = Runner(self.ledger, settings.jobs)
        self.uploads = Uploads(settings, clock)
        self._files = open_files(settings, self.truth, self.read_only)
        self.accounts = Accounts(self.truth, settings, clock, self.coordination.tell_of_change)
        self.conversations = Conversations(self.truth, clock, identifiers)
        self.personalities = Personalities(self.truth, clock)
        self.preferences = PreferencesStore(self.truth)
        self.spending = Spending(self.truth, settings, clock)
        self.api_keys = ApiKeys(self.truth, clock)
        self.audit = Audit(self.truth, clock, identifiers, settings.audit_days)
        self.models = ChatModels(settings, self.spending)
        self.chosen_models = ChosenModels(settings, self.overrides, self.models)
        hold_langsmith(settings)
        self._traces = Traces(settings)
        self._build_library()
        self._build_memory()
        self._build_agent(serves)
        self._build_operations(serves)

    def _build_library(self) -> None:
        group_of = self.accounts.group_of
        self._catalogue = Catalogue(self.truth, self._clock, group_of)
        datasets = DatasetServices(self.truth, self._files, self._catalogue, self.settings, self._clock, self._runner)
        self.retrieval = Retrieval(
            self.settings, self.truth, CatalogueDocuments(self._catalogue), self._clock, metrics=self._metrics,
            idle=self._runner.quiet, shared=self.coordination.vectors, group_of=group_of,
            read_only=self.read_only, rows=datasets.rows,
        )  # fmt: skip
        self._items = self.retrieval.items
        figures = FigureServices(self.truth, self._catalogue, self._items, self._runner.quiet)
        self.figures, self.datasets, self.contradictions = figures.lookup, datasets.datasets, figures.contradictions
        self._library = LibraryServices(
            self.settings, self.truth, self._files, self._catalogue, self.retrieval, self.ledger, self.models,
            self._runner, datasets.after(figures.writing), is_injected, is_refuted, self._clock, self._new_id,
            self._owner, group_of, self.coordination.dispatch, self.coordination.progress,
        )  # fmt: skip
        self.library, self.viewer, self.sets = self._library.library, self._library.viewer, self._library.sets
        self.sharing = self._library.sharing
        self.accounts.before_leaving(self.sharing.take_back_all)
        self.books, self.sections = self._library.books, self._library.sections
        self.progress, self.samples = self._library.progress, self._library.samples
        self.mentions = Mentions(self.library, self.sets)

    def _build_memory(self) -> None:
        installation = Installation(self.overrides, self.settings.folder / "prompts")
        annexes = (Checkpoints(self.truth, lambda: self._checkpointer), installation)
        self._remembering = MemoryServices(
            self.settings, self.truth, self.retrieval, self._files, LibraryBooks(self.library), BOOK_SECTIONS,
            self._clock, self._new_id, self._owner, self.models, self._runner.quiet, annexes,
            self.coordination.dispatch,
        )  # fmt: skip
        self.memory = self._remembering.memory
        self.program_tools = ProgramTools(self.memory, self._clock, self._new_id, self.settings.calls)

    def _build_agent(self, serves: bool) -> None:
        self._counted = Counted(self.truth, self._metrics, self.ledger, self._clock, self.settings)
        self._tools = ToolServices(
            self.truth, self.settings, self.overrides, self._clock, self._new_id, self._tool_called, self._counted.tool
        )
        self.tools, self.open_data, self.tool_servers = self._tools.tools, self._tools.open_data, self._tools.servers
        self.web_pages = WebPages(self.settings, self.library, self._clock)
        self._agent = AgentServices(
            self.settings, self.truth, self._catalogue, self._library, self.figures, self.contradictions,
            self.datasets, self.retrieval, self.memory, self.conversations, self.personalities, self.preferences,
            self.tools, self.models, self.ledger, self._runner, self._clock, self.responsiveness.workers, serves,
        )  # fmt: skip
        self.follow_ups = self._agent.follow_ups
        self.starters, self.suggested = self._agent.starters(self.samples), self._agent.suggested()

    def _build_operations(self, serves: bool) -> None:
        self.operations = Operations(
            self.settings, self.truth, self.memory, self.retrieval, self.chosen_models, self.tool_servers,
            self.library, self.overrides, self._counted, self.coordination.redis, self.read_only,
            self._clock, self._owner, serves=serves,
        )  # fmt: skip
        self._health = HealthReport(
            self.settings, self.truth, self.retrieval, self.models, self.tool_servers, self.operations.originals,
            self.operations.features, self.coordination.redis, self.read_only, self.operations.processes,
        )  # fmt: skip
        self._changes = Scheduler("what other processes have changed", self._read_changes, MAINTENANCE_SECONDS)
        self._left = Scheduler("what dead processes left", self._take_over, DEAD_SECONDS, first=DEAD_SECONDS)
        self._upkeep = Upkeep(
            self._own_duties, self._shared_duties, self.coordination.dispatch("upkeep"), self.settings.jobs.workers
        )

    @cached_property
    def held(self) -> HeldForMove:
        """Makes all data read-only while it is moved to other stores."""
        return HeldForMove(self.settings, self.truth, self.retrieval.index, self.read_only, self._runner.quiet)

    async def start(self) -> None:
        """Open the stores, end runs that crashed processes left unfinished, and continue their jobs."""
        alone = self.settings.mongodb_uri is None
        await self._open_stores()
        self._build_removals()
        self._stack.push_async_callback(self._tools.stop)
        data = DataTools(self.library, self.datasets, self._clock, figure_tools(self.library, self.figures))
        await self._tools.start(self.library, self.retrieval, self.memory, data.tools, data.rows)
        self._turns = self._agent.build(self._checkpointer, self._traces)
        await self._turns.recover(everyone=alone)
        self._stack.push_async_callback(self.starters.stop)
        self._stack.push_async_callback(self._library.stop)
        await self._library.start(alone=alone)
        left = () if alone else (self._left,)
        for part in (self._agent, self._upkeep, *left, self.operations, self._changes):
            self._stack.push_async_callback(part.stop)
            await part.start()
        self.coordination.announcements.listen("changed", lambda _: self._changes.call())

    async def _open_stores(self) -> None:
        self._stack.push_async_callback(self.responsiveness.stop)
        await self.responsiveness.start()
        await asyncio.to_thread(refuse_start_without_room, self.settings)
        await self.truth.start()
        self._stack.push_async_callback(self.truth.stop)
        self._stack.push_async_callback(self._traces.close)
        self._stack.push_async_callback(self.coordination.stop)
        await self.coordination.start()
        await asyncio.to_thread(upgrade, self.settings)
        for service in (
            self.ledger, self.conversations, self.personalities, self.preferences, self.accounts, self.api_keys,
            self.audit, self._library, self.overrides, self.spending, self.follow_ups, self.tools,
        ):  # fmt: skip
            await service.ensure()
        await self.overrides.load()
        for follow in (self.models.reload, self.retrieval.follow_settings, self._library.follow_settings):
            self.overrides.watch(follow)
        await self.retrieval.start()
        self._stack.push_async_callback(self.retrieval.stop)
        await self._remembering.start()
        self._stack.push_async_callback(self._remembering.stop)
        self._stack.push_async_callback(self.models.close)
        self._checkpointer = await self._stack.enter_async_context(
            open_checkpointer(self.settings, STATE_TYPES, self.read_only)
        )

    def _build_removals(self) -> None:
        forget_thread = self._checkpointer.adelete_thread
        self._conversation_removal = ConversationRemoval(
            self.conversations, self.library, self.ledger, self.follow_ups, self.tools, forget_thread
        )
        self.account_removal = AccountRemoval(
            self.settings, self.truth, self.accounts, self.library, self._items, self._files, self.viewer, self.cancel,
            self.retrieval.index.delete_where, forget_thread, partial(scrub, self._checkpointer),
        )  # fmt: skip

    async def drain(self) -> None:
        """Start nothing new, and give running jobs and answers ``jobs.drain`` seconds to end."""
        await self._left.stop()
        parts = (self._agent, self._upkeep, self._remembering, self._library)
        await asyncio.gather(*(part.drain() for part in parts))

    async def stop(self) -> None:
        """Stop everything, in reverse order."""
        self.held.stop()
        await self._stack.aclose()

    def _own_duties(self) -> Iterator[Awaitable[object]]:
        """Each process's duties, in order: the index must be available before missing items are added to it."""
        yield self.retrieval.keep_up()
        yield self._upkeep.of_all()
        yield self.viewer.tidy()
        yield asyncio.to_thread(self.uploads.remove_abandoned)
        yield self.tool_servers.keep_up(UNDO_SECONDS)
        yield self.operations.keep_up()

    def _shared_duties(self) -> Iterator[Awaitable[object]]:
        """Duties that one process does for all, in order: an item must be in the index before it gets its vector."""
        yield self.accounts.sessions.compact()
        yield self.audit.compact()
        yield self._finish_writes()
        yield from self._library.duties(UNDO_SECONDS)
        yield self._conversation_removal.finish(UNDO_SECONDS)
        yield self.account_removal.finish()
        yield self.retrieval.reindexing.discard_old()
        yield self._turns.recover(everyone=False)

    async def _take_over(self) -> None:
        """Take over work of crashed processes; their jobs are found by the workers."""
        await self._turns.recover(everyone=False)
        await self._remembering.take_over()
        await self.operations.rebuilding.take_over()

    async def _read_changes(self) -> None:
        """Read changes made by other processes."""
        await self.overrides.load()
        await self.accounts.load()
        await self.operations.features.load()

    async def _finish_writes(self) -> None:
        """Add items that the index lacks after a crash, and compute their vectors."""
        if await self._items.repair():
            self.retrieval.embedder.wake()

    async def ask(
        self, user_id: str, question: str, *, conversation_id: str | None = None, mode: ModeName = "enhanced",
        model: str | None = None, action: Action | None = None, web: bool = False, without: Sequence[str] = (),
        replaces: str = "",
    ) -> AcceptedQuestion:  # fmt: skip
        """Start answering in the background, with the options of ``Ask``. Raises the same errors as ``answer``."""
        ask = Ask(
            question=question, conversation_id=conversation_id, mode=mode, model=model, action=action, web=web,
            without=tuple(without), replaces=replaces,
        )  # fmt: skip
        return await self.answer(user_id, ask)

    async def answer(self, user_id: str, ask: Ask) -> AcceptedQuestion:
        """Start answering in the background. Raises ``PalimpsestError`` if the question cannot be used, the model is
        unknown, or the conversation is not this user's, is still being answered, or waits for a reply."""
        if ask.conversation_id and not ask.replaces and self.settings.memory.enforce_scoring:
            await refuse_unscored(self.conversations, self.memory, user_id, ask.conversation_id)
        return await self._turns.ask(user_id, ask)

    async def choose_version(self, user_id: str, run_id: str) -> Conversation:
        """Go on from this version of a question. Raises ``PalimpsestError`` while its conversation is busy."""
        return await self._turns.choose_version(user_id, run_id)

    async def resume(self, user_id: str, run_id: str, interrupt_id: str, reply: Reply | None) -> None:
        """Give the user's reply, or cancel with ``None``. Raises ``PalimpsestError`` if the reply does not fit."""
        await self._turns.resume(user_id, run_id, interrupt_id, reply)

    async def reply(
        self, user_id: str, run_id: str, interrupt_id: str, choice_ids: Sequence[str], text: str,
        steps: Sequence[PlanStep] = (),
    ) -> None:  # fmt: skip
        """Give the user's reply: choices, a text, or the steps of a plan to keep. Raises the errors of ``resume``."""
        await self.resume(user_id, run_id, interrupt_id, Reply(choice_ids=choice_ids, text=text, steps=steps))

    async def answer_now(self, user_id: str, run_id: str) -> None:
        """Let a run that waits for documents or calls tools answer from what is there. Raises ``PalimpsestError``."""
        await self._turns.answer_now(user_id, run_id)

    async def cancel(self, user_id: str, run_id: str) -> None:
        """End a run, even one that waits for a reply; the text written so far is kept."""
        await self._turns.cancel(user_id, run_id)

    async def delete_conversation(self, user_id: str, conversation_id: str) -> Conversation:
        """Hide a conversation and stop its answer; this can be undone for a while. Raises ``PalimpsestError``."""
        deleted = await self.conversations.delete(user_id, conversation_id)
        running = await self.ledger.active(user_id, conversation_id)
        if running:
            await self.cancel(user_id, running.id)
        return deleted

    async def run(self, user_id: str, run_id: str) -> Run:
        """The run with this id. Raises ``PalimpsestError`` if the run is another user's, or belongs to a deleted
        conversation ("not_found")."""
        run = await self.ledger.get(user_id, run_id)
        if run.conversation_id:
            await self.conversations.get(user_id, run.conversation_id)
        return run

    async def load_samples(self, user_id: str) -> list[Submission]:
        """Add copies of the sample documents to the library, each submitted like an uploaded file."""
        return await self._library.load_samples(user_id)

    async def remember_transcript(self, user_id: str, document_id: str) -> list[MemoryItem]:
        """Store a transcript document in the memory as a conversation with its speakers.

        Raises:
            PalimpsestError: there is no such document, it is another user's, or it has no speakers ("validation").
        """
        document = await self._catalogue.get(user_id, document_id)
        transcript = transcript_of(document, await self.library.chunks(user_id, document_id))
        return await self.memory.remember_transcript(user_id, transcript)

    async def find_local_models(self) -> LocalModels:
        """Chat models of the servers at their usual addresses on this machine."""
        return local_models(await find_local_servers(), chosen=self.models.configured)

    async def find_search_services(self) -> list[SearchService]:
        """Embedding models and rerankers that are served on this machine."""
        return await find_search_services()

    async def storage(self) -> Storage:
        """The data's size on this machine, by kind."""
        return await asyncio.to_thread(storage_of, self.settings)

    async def health(self) -> Health:
        """All parts of the workbench, their states, and the effect on answers."""
        return await self._health.read()

    @property
    def knowledge(self) -> Knowledge:
        """The knowledge graph. Raises ``PalimpsestError`` if the graph is switched off."""
        self.operations.features.demand("knowledge")
        return self.memory.knowledge

    def _tool_called(self, server: str, observation: Observation) -> None:
        self.operations.features.heard(server, observation)
