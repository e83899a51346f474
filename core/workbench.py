"""The composition root: builds every service once and owns their life."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import AsyncExitStack
from functools import cached_property, partial

from core.account_removal import AccountRemoval
from core.accounts.accounts import Accounts
from core.accounts.api_keys import ApiKeys
from core.accounts.audit import Audit
from core.answering.document_tables import MOST_KEPT, DocumentTables
from core.clock import Clock, system_clock
from core.conversation_removal import ConversationRemoval
from core.coordination.coordination import Coordination
from core.events import Action
from core.graph.build import build_agent
from core.graph.full_answers import FollowUps
from core.graph.interrupts import Reply
from core.graph.memory.commands import Commands
from core.graph.memory.conversation import ConversationMemory
from core.graph.memory.program_tools import ProgramTools
from core.graph.memory.scoring import refuse_unscored
from core.graph.services import Services
from core.graph.starter_questions import StarterQuestions
from core.graph.state import STATE_TYPES
from core.graph.turns import AcceptedQuestion, Turns
from core.grounding.prompt_injection import is_injected
from core.grounding.refutation import is_refuted
from core.ids import NewId, new_id
from core.knowledge.queries import Knowledge
from core.library.books import BOOK_SECTIONS, LibraryBooks
from core.library.build import LibraryServices
from core.library.catalogue import Catalogue
from core.library.library import Submission
from core.library.mentions import Mentions
from core.library.searchable import CatalogueDocuments
from core.library.transcript import transcript_of
from core.memory.build import MemoryServices
from core.memory.maintenance.annexes import Annex, Checkpoints, Installation
from core.memory.maintenance.metrics import Metrics
from core.memory.outcomes.detector import ModelJudge, OutcomeDetector
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.models.configuration.chosen import ChosenModels
from core.models.configuration.search_services import SearchService, find_search_services
from core.models.extractive import ExtractiveAnswerer
from core.models.model_server import ModelServer, find_local_servers
from core.models.nli.build import build_nli
from core.operations.figures.counted import Counted
from core.operations.health import HealthReport
from core.operations.moving.held import HeldForMove
from core.operations.operations import Operations
from core.operations.upkeep import Upkeep
from core.personality.personalities import Personalities
from core.personality.preferences import PreferencesStore
from core.prompts.templates import Prompts
from core.resilience.dependencies import Observation
from core.resilience.health import Health
from core.resilience.read_only import ReadOnly
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.runs.records import Conversation, Run
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
from core.store.room import Reserve
from core.store.storage import Storage, storage_of
from core.tools.datagov.server import DatagovServer
from core.tools.library_server import LibraryServer
from core.tools.mcp.servers import McpServers
from core.tools.memory_server import MemoryServer
from core.tools.tool import ToolServer
from core.tools.tools import Tools
from core.tools.web.server import WebServer
from core.traces import Traces, hold_langsmith

log = logging.getLogger(__name__)

UNDO_SECONDS = 60.0
MAINTENANCE_SECONDS = 30.0
TABLES_AHEAD_SECONDS = 10.0
DEAD_SECONDS = 5.0
"""Between two looks for what processes that died have left to others."""


class Workbench:
    """All that the pages know. ``start`` before use, ``stop`` at the end."""

    def __init__(
        self, settings: Settings, clock: Clock = system_clock, identifiers: NewId = new_id, *, serves: bool = True
    ) -> None:
        self.settings = settings
        self._stack = AsyncExitStack()
        owner = f"{socket.gethostname()}:{os.getpid()}:{identifiers('proc')}"
        self.read_only = ReadOnly()
        self.truth = open_truth(settings, self.read_only)
        metrics = Metrics()
        self.coordination = Coordination(settings, metrics.observe, owner)
        self.overrides = Overrides(self.truth, settings, clock, tell=self.coordination.tell_of_change)
        self.ledger = RunLedger(self.truth, clock, identifiers, owner, settings.jobs, self.coordination.announcements)
        self._runner = Runner(self.ledger, settings.jobs)
        self._files = open_files(settings, self.truth, self.read_only)
        self.accounts = Accounts(self.truth, settings, clock, self.coordination.tell_of_change)
        group_of = self.accounts.group_of
        self._catalogue = Catalogue(self.truth, clock, group_of)
        documents = CatalogueDocuments(self._catalogue)
        self.retrieval = Retrieval(
            settings, self.truth, documents, clock, metrics=metrics, idle=self._runner.quiet,
            shared=self.coordination.vectors, group_of=group_of, read_only=self.read_only,
        )  # fmt: skip
        self._items = self.retrieval.items
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
        self._library = LibraryServices(
            settings, self.truth, self._files, self._catalogue, self.retrieval, self.ledger, self.models, self._runner,
            is_injected, is_refuted, clock, identifiers, owner, group_of, self.coordination.dispatch,
            self.coordination.progress,
        )  # fmt: skip
        self.library, self.viewer, self.sets = self._library.library, self._library.viewer, self._library.sets
        self.sharing = self._library.sharing
        self.accounts.before_leaving(self.sharing.take_back_all)
        self.books, self.sections = self._library.books, self._library.sections
        self.progress, self.samples = self._library.progress, self._library.samples
        self.mentions = Mentions(self.library, self.sets)
        self._remembering = MemoryServices(
            settings, self.truth, self.retrieval, self._files, LibraryBooks(self.library), BOOK_SECTIONS, clock,
            identifiers, owner, self.models, self._runner.quiet, self._annexes(),
            self.coordination.dispatch,
        )  # fmt: skip
        self.memory = self._remembering.memory
        self.program_tools = ProgramTools(self.memory, clock, identifiers, settings.calls)
        self._changes = Scheduler("what other processes have changed", self._read_changes, MAINTENANCE_SECONDS)
        self._tables = DocumentTables(self.library)
        self._ahead = Scheduler("the tables that are read ahead", self._read_ahead, TABLES_AHEAD_SECONDS)
        counted = Counted(self.truth, self.retrieval.metrics, self.ledger, clock, settings)
        self.tools = Tools(self.truth, settings, self.overrides, clock, identifiers, self._tool_called, counted.tool)
        self.open_data = DatagovServer(settings, clock)
        self.tool_servers = McpServers(self.truth, settings, self.tools.registry, clock, identifiers)
        self.starters = StarterQuestions(self.library, self.samples)
        self.follow_ups = FollowUps(self.truth, self._catalogue, clock)
        self.operations = Operations(
            settings, self.truth, self.memory, self.retrieval, self.chosen_models, self.tool_servers, self.library,
            self.accounts, self.overrides, counted, self.coordination.redis, self.read_only, clock, owner,
            serves=serves,
        )  # fmt: skip
        self._health = HealthReport(
            settings, self.truth, self.retrieval, self.models, self.tool_servers, self.operations.originals,
            self.operations.features, self.coordination.redis, self.read_only, self.operations.processes,
        )  # fmt: skip
        self._upkeep = Upkeep(
            self._own_duties, self._shared_duties, self.coordination.dispatch("upkeep"), settings.jobs.workers
        )
        self._clock, self._new_id = clock, identifiers

    @cached_property
    def held(self) -> HeldForMove:
        """Keeps everything as it is while it is carried elsewhere."""
        return HeldForMove(self.settings, self.truth, self.retrieval.index, self.read_only, self._runner.quiet)

    # -- life ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the stores, bury the runs of dead processes, take up the jobs they left."""
        alone = self.settings.mongodb_uri is None
        await asyncio.to_thread(Reserve(self.settings).make_room)
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
        self.overrides.watch(self.models.reload)
        self.overrides.watch(self.retrieval.follow_settings)
        self.overrides.watch(self._library.follow_settings)
        await self.retrieval.start()
        self._stack.push_async_callback(self.retrieval.stop)
        await self._remembering.start()
        self._stack.push_async_callback(self._remembering.stop)
        self._stack.push_async_callback(self.models.close)
        self._checkpointer = await self._stack.enter_async_context(
            open_checkpointer(self.settings, STATE_TYPES, self.read_only)
        )
        self._conversation_removal = ConversationRemoval(
            self.conversations, self.library, self.ledger, self.follow_ups, self.tools,
            self._checkpointer.adelete_thread,
        )  # fmt: skip
        self.account_removal = AccountRemoval(
            self.settings, self.truth, self.accounts, self.library, self._items, self._files, self.viewer, self.cancel,
            self.retrieval.index.delete_where, self._checkpointer.adelete_thread, partial(scrub, self._checkpointer),
        )  # fmt: skip
        self._stack.push_async_callback(self.tools.stop)
        await self.tools.start(self._own_tools())
        self._stack.push_async_callback(self.tool_servers.stop)
        await self.tool_servers.start()
        self._turns = Turns(
            build_agent(self._services(), self._checkpointer), self._checkpointer, self.ledger, self._runner,
            self.conversations, self.library, self.models, self.follow_ups, self._clock, self.settings, self._traces,
        )  # fmt: skip
        await self._turns.recover(everyone=alone)
        self._stack.push_async_callback(self._library.stop)
        await self._library.start(alone=alone)
        self._stack.push_async_callback(self._runner.stop)
        await self.follow_ups.start(self._turns.follow_up)
        self._stack.push_async_callback(self.follow_ups.stop)
        self._stack.push_async_callback(self._upkeep.stop)
        await self._upkeep.start()
        await self._ahead.start()
        self._stack.push_async_callback(self._ahead.stop)
        if not alone:
            left = Scheduler("what dead processes left", self._take_over, DEAD_SECONDS, first=DEAD_SECONDS)
            await left.start()
            self._stack.push_async_callback(left.stop)
        self._stack.push_async_callback(self.operations.stop)
        await self.operations.start()
        self._stack.push_async_callback(self._changes.stop)
        await self._changes.start()
        self.coordination.announcements.listen("changed", lambda _: self._changes.call())

    async def drain(self) -> None:
        """Begin no more jobs, and give those that go on ``jobs.drain`` seconds to end."""
        await self._library.drain()

    async def stop(self) -> None:
        """Let go of everything, in the reverse order."""
        self.held.stop()
        await self._stack.aclose()

    def _own_duties(self) -> Iterator[Awaitable[object]]:
        """In this order: an index that was away is there again before what it lacks is put there."""
        yield self.retrieval.keep_up()
        yield self._upkeep.of_all()
        yield self.viewer.tidy()
        yield self.tool_servers.keep_up(UNDO_SECONDS)
        yield self.operations.keep_up()

    def _shared_duties(self) -> Iterator[Awaitable[object]]:
        """In this order: an item must be in the index before it gets its vector."""
        yield self.accounts.sessions.compact()
        yield self.audit.compact()
        yield self._finish_writes()
        yield from self._library.duties(UNDO_SECONDS)
        yield self._conversation_removal.finish(UNDO_SECONDS)
        yield self.account_removal.finish()
        yield self.retrieval.reindexing.discard_old()
        yield self._turns.recover(everyone=False)

    async def _take_over(self) -> None:
        """Jobs are found by those who work on them."""
        await self._turns.recover(everyone=False)
        await self._remembering.take_over()
        await self.operations.rebuilding.take_over()

    async def _read_changes(self) -> None:
        """What other processes have changed."""
        await self.overrides.load()
        await self.accounts.load()
        await self.operations.features.load()

    async def _finish_writes(self) -> None:
        """What a crash left out of the index is put there, and then gets its vector without waiting for a round."""
        if await self._items.repair():
            self.retrieval.embedder.wake()

    async def _read_ahead(self) -> None:
        await self._tables.read_ahead(await self._catalogue.latest(MOST_KEPT), self._runner.idle)

    # -- asking ----------------------------------------------------------------------------

    async def ask(
        self,
        user_id: str,
        question: str,
        *,
        conversation_id: str | None = None,
        mode: ModeName = "enhanced",
        model: str | None = None,
        action: Action | None = None,
        web: bool = False,
        without: Sequence[str] = (),
    ) -> AcceptedQuestion:
        """Start answering in the background; an ``action`` picked by hand is not guessed, nor a wish for the ``web``.
        ``without`` are the keys of chips that were taken off: what they name is left out of account.

        Raises:
            PalimpsestError: the question cannot be used, the model is unknown, the conversation is not this
                user's, it is still being answered, or it waits for an answer.
        """
        if conversation_id and self.settings.memory.enforce_scoring:
            await refuse_unscored(self.conversations, self.memory, user_id, conversation_id)
        return await self._turns.ask(user_id, question, conversation_id, mode, model, action, web, without)

    async def resume(self, user_id: str, run_id: str, interrupt_id: str, reply: Reply | None) -> None:
        """Answer what a run has asked, or cancel it with ``None``; the same run goes on.

        Raises:
            PalimpsestError: nothing waits, or the reply does not fit; then the question waits on.
        """
        await self._turns.resume(user_id, run_id, interrupt_id, reply)

    async def reply(self, user_id: str, run_id: str, interrupt_id: str, choice_ids: Sequence[str], text: str) -> None:
        """Answer what a run has asked, by choices or by words. Raises as ``resume`` does."""
        await self.resume(user_id, run_id, interrupt_id, Reply(choice_ids=list(choice_ids), text=text))

    async def answer_now(self, user_id: str, run_id: str) -> None:
        """End a run's wait for documents that are being read: it answers from what is ready, and again in full later.

        Raises:
            PalimpsestError: the run is not this user's.
        """
        await self._turns.answer_now(user_id, run_id)

    async def cancel(self, user_id: str, run_id: str) -> None:
        """End a run, also one that waits; what it has written stays."""
        await self._turns.cancel(user_id, run_id)

    async def delete_conversation(self, user_id: str, conversation_id: str) -> Conversation:
        """Gone at once, its running answer stopped; can be undone for a while. Raises ``PalimpsestError``."""
        deleted = await self.conversations.delete(user_id, conversation_id)
        running = await self.ledger.active(user_id, conversation_id)
        if running:
            await self.cancel(user_id, running.id)
        return deleted

    async def run(self, user_id: str, run_id: str) -> Run:
        """A run that its reader may still see.

        Raises:
            PalimpsestError: it is another's, or of a conversation that was deleted ("not_found").
        """
        run = await self.ledger.get(user_id, run_id)
        if run.conversation_id:
            await self.conversations.get(user_id, run.conversation_id)
        return run

    async def load_samples(self, user_id: str) -> list[Submission]:
        """Copies of the sample documents, each submitted as if it had been dropped."""
        return await self._library.load_samples(user_id)

    async def remember_transcript(self, user_id: str, document_id: str) -> list[MemoryItem]:
        """Remember a document that is a transcript as the conversation that it is of, with who spoke.

        Raises:
            PalimpsestError: there is no such document, or it is another's, or nobody speaks in it ("validation").
        """
        document = await self._catalogue.get(user_id, document_id)
        transcript = transcript_of(document, await self.library.chunks(user_id, document_id))
        return await self.memory.remember_transcript(user_id, transcript)

    # -- health ----------------------------------------------------------------------------

    async def find_model_servers(self) -> list[ModelServer]:
        """Servers of models that listen where they usually do on this machine."""
        return await find_local_servers()

    async def find_search_services(self) -> list[SearchService]:
        """Embedding models and rerankers that are served on this machine."""
        return await find_search_services()

    async def storage(self) -> Storage:
        """What the data take on this machine, by kind."""
        return await asyncio.to_thread(storage_of, self.settings)

    async def health(self) -> Health:
        """Every part, its state, and what that means for answers."""
        return await self._health.read()

    @property
    def knowledge(self) -> Knowledge:
        """What texts name. Raises ``PalimpsestError`` while that is switched off."""
        self.operations.features.demand("knowledge")
        return self.memory.knowledge

    def _tool_called(self, server: str, observation: Observation) -> None:
        self.operations.features.heard(server, observation)

    def _turn_memory(self) -> ConversationMemory:
        prompts = Prompts(self.settings.folder / "prompts")
        judge = ModelJudge(self.models)
        detector = OutcomeDetector(judge, prompts, self.settings.memory, lambda: self.models.configured)
        memory = ConversationMemory(self.memory, self.conversations, Commands(self.memory), detector, self._clock)
        self._stack.push_async_callback(memory.stop)
        return memory

    def _annexes(self) -> list[Annex]:
        """What is in a backup beside the collections."""
        installation = Installation(self.overrides, self.settings.folder / "prompts")
        return [Checkpoints(self.truth, lambda: self._checkpointer), installation]

    def _own_tools(self) -> list[ToolServer]:
        """What the workbench itself can be asked for; whoever was there first keeps a name."""
        retrieval = self.settings.deadlines.retrieval
        library = LibraryServer(self.library, self.retrieval.documents, retrieval)
        return [library, MemoryServer(self.memory, self._new_id), WebServer(self.settings), self.open_data]

    def _services(self) -> Services:
        return Services(
            documents=self.retrieval.documents,
            library=self.library,
            tables=self._tables,
            progress=self.progress,
            ledger=self.ledger,
            sets=self.sets,
            conversations=self.conversations,
            rereading=self._library.rereading,
            models=self.models,
            embeddings=self.retrieval.embeddings_first,
            extractive=ExtractiveAnswerer(self.retrieval.embeddings_first, self.settings),
            clock=self._clock,
            personalities=self.personalities,
            tools=self.tools,
            preferences=self.preferences,
            settings=self.settings,
            inference=build_nli(self.settings),
            turn_memory=self._turn_memory(),
            suggestions=self.memory.profile,
        )
