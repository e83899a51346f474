"""The composition root: builds every service once and owns their life."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from core.annotation import build_annotation
from core.clock import Clock, system_clock
from core.errors import explain
from core.events import Action
from core.graph.answering.document_tables import MOST_KEPT, DocumentTables
from core.graph.build import build_agent
from core.graph.full_answers import FollowUps
from core.graph.interrupts import Reply
from core.graph.memory.commands import Commands
from core.graph.memory.conversation import ConversationMemory
from core.graph.memory.scoring import refuse_unscored
from core.graph.services import Services
from core.graph.starter_questions import StarterQuestions
from core.graph.state import STATE_TYPES
from core.graph.turns import AcceptedQuestion, Turns
from core.health import Health, Part
from core.ids import NewId, new_id
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.annotation import Annotation
from core.library.contextual.cache import ContextCache
from core.library.digest import digest
from core.library.ingestion import EmbeddingWorker, Ingestion, ReadingWorker
from core.library.library import Library, Submission
from core.library.mentions import Mentions
from core.library.progress import ReadingProgress
from core.library.removed_documents import RemovedDocuments
from core.library.rereading import Rereading
from core.library.samples import SampleReadings, load_samples, sample_vectors
from core.library.sets import Sets
from core.library.viewing.viewer import Viewer
from core.memory.outcomes.detector import ModelJudge, OutcomeDetector
from core.messages import message
from core.models.chat import ChatModels
from core.models.extractive import ExtractiveAnswerer
from core.overrides import Overrides
from core.personality.personalities import Personalities
from core.prompts.templates import Prompts
from core.remembering import MemoryServices
from core.retrieval import Retrieval
from core.runs.conversations import Conversations
from core.runs.jobs import JobQueue
from core.runs.ledger import RunLedger
from core.runs.records import Conversation, Run
from core.runs.runner import Runner
from core.runs.scheduler import Scheduler
from core.settings import ModeName, Settings
from core.store.checkpoints import open_checkpointer
from core.store.migrations.upgrade import upgrade
from core.store.open import open_files, open_truth
from core.tools.build import build_web_search
from core.words import Words

log = logging.getLogger(__name__)

UNDO_SECONDS = 60.0
MAINTENANCE_SECONDS = 30.0
TABLES_AHEAD_SECONDS = 10.0
VECTORS_AGAIN_SECONDS = 300.0
"""How long a document is left findable by text alone before its vectors are tried again."""
ABANDONED_LEASES = 2.0
"""Leases after which what no job works on has been abandoned by its process."""


class Workbench:
    """All that the pages know. ``start`` before use, ``stop`` at the end."""

    def __init__(self, settings: Settings, clock: Clock = system_clock, identifiers: NewId = new_id) -> None:
        self.settings = settings
        self._stack = AsyncExitStack()
        owner = f"{socket.gethostname()}:{os.getpid()}:{identifiers('proc')}"
        self.truth = open_truth(settings)
        self.overrides = Overrides(self.truth, settings, clock)
        self.ledger = RunLedger(self.truth, clock, identifiers, owner, settings.jobs)
        self._runner = Runner(self.ledger, settings.jobs)
        self.retrieval = Retrieval(settings, self.truth, clock, idle=self._runner.quiet)
        files = open_files(settings, self.truth)
        self.conversations = Conversations(self.truth, clock, identifiers)
        self.personalities = Personalities(self.truth, clock)
        self._catalogue = Catalogue(self.truth, clock)
        self._items = self.retrieval.items
        self._reading = JobQueue("reading", self.truth, clock, identifiers, owner, settings.jobs)
        self._embedding = JobQueue("embedding", self.truth, clock, identifiers, owner, settings.jobs)
        self._contents = Contents(self.truth)
        self._departures = RemovedDocuments(self.truth, self._catalogue)
        self._ingestion = Ingestion(self._catalogue, self._items, self._contents, self.ledger, clock, settings)
        self._files = files
        self.library = Library(
            self._catalogue,
            self._items,
            self._contents,
            self._departures,
            files,
            self.ledger,
            self._reading,
            self._embedding,
            clock,
            identifiers,
            settings,
        )
        self._tables = DocumentTables(self.library)
        self._ahead = Scheduler("the tables that are read ahead", self._read_ahead, TABLES_AHEAD_SECONDS)
        self.viewer = Viewer(self._catalogue, self._items, self._contents, files, settings)
        self.sets = Sets(self.truth, self._catalogue, clock, identifiers)
        self.mentions = Mentions(self.library, self.sets)
        self.models = ChatModels(settings)
        self._context_cache = ContextCache(self.truth, clock, settings.prefix.cache_days)
        self._remembering = MemoryServices(
            settings, self.truth, self.retrieval, files, self.library, clock, identifiers, owner, self.models,
            self._runner.quiet,
        )  # fmt: skip
        self.memory = self._remembering.memory
        self._rereading = Rereading(self._catalogue, self._items, files, clock, settings)
        self.web = build_web_search(settings)
        self.samples = load_samples()
        self.starters = StarterQuestions(self.library, self.samples)
        self.progress = ReadingProgress(self.ledger, clock, self._embedding.queued)
        self.follow_ups = FollowUps(self.truth, self._catalogue, clock)
        self._clock = clock

    # -- life ------------------------------------------------------------------------------

    async def start(self) -> None:
        """Open the stores, bury the runs of dead processes, take up the jobs they left."""
        alone = self.settings.mongodb_uri is None
        await self.truth.start()
        self._stack.push_async_callback(self.truth.stop)
        await asyncio.to_thread(upgrade, self.settings)
        for service in (
            self.ledger,
            self.conversations,
            self.personalities,
            self._catalogue,
            self._contents,
            self._departures,
            self._context_cache,
            self.sets,
            self.overrides,
            self.follow_ups,
        ):
            await service.ensure()
        await self.overrides.load()
        self._stack.push_async_callback(self.viewer.stop)
        await self.retrieval.start()
        self._stack.push_async_callback(self.retrieval.stop)
        await self._remembering.start()
        self._stack.push_async_callback(self._remembering.stop)
        self._stack.push_async_callback(self.models.close)
        self._checkpointer = await self._stack.enter_async_context(open_checkpointer(self.settings, STATE_TYPES))
        self._stack.push_async_callback(self.web.close)
        self._turn_memory = self._conversation_memory()
        self._turns = Turns(
            build_agent(self._services(), self._checkpointer),
            self._checkpointer,
            self.ledger,
            self._runner,
            self.conversations,
            self.library,
            self.models,
            self.follow_ups,
            self._clock,
            self.settings,
        )
        await self._turns.recover(everyone=alone)
        await self.library.resume(0.0 if alone else ABANDONED_LEASES * self.settings.jobs.lease)
        vectors = EmbeddingWorker(self._ingestion, lambda: self.retrieval.dense_off, await self._annotation())
        await self._embedding.start(vectors, alone=alone)
        self._stack.push_async_callback(self._embedding.stop)
        reading = ReadingWorker(self._ingestion, self._files, self._embedding, SampleReadings(self.settings))
        await self._reading.start(reading, alone=alone)
        self._stack.push_async_callback(self._reading.stop)
        self._stack.push_async_callback(self._runner.stop)
        await self.follow_ups.start(self._turns.follow_up)
        self._stack.push_async_callback(self.follow_ups.stop)
        self._stack.push_async_callback(_ended, asyncio.create_task(self._keep_up()))
        await self._ahead.start()
        self._stack.push_async_callback(self._ahead.stop)

    async def stop(self) -> None:
        """Let go of everything, in the reverse order."""
        await self._stack.aclose()

    async def _keep_up(self) -> None:
        quiet = 0.0
        while True:
            for duty in self._duties(quiet):
                try:
                    await duty
                except Exception:
                    log.exception("a part of the upkeep was left out this time")
            quiet = VECTORS_AGAIN_SECONDS
            await asyncio.sleep(MAINTENANCE_SECONDS)

    def _duties(self, quiet: float) -> Iterator[Awaitable[object]]:
        """In this order: an item must be in the index before it gets its vector."""
        yield self.overrides.load()
        yield self.retrieval.keep_up()
        yield self._items.repair()
        if self.retrieval.dense_off is None:
            yield self.library.finish_vectors(quiet)
        yield self.library.compact(UNDO_SECONDS)
        yield self.sets.compact(UNDO_SECONDS)
        yield self.viewer.tidy()
        yield self._context_cache.purge()
        yield self._remove_conversations()
        yield self.retrieval.reindex.discard_old()
        yield self._turns.recover(everyone=False)
        yield self.library.resume(ABANDONED_LEASES * self.settings.jobs.lease)

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

    async def _remove_conversations(self) -> None:
        """One that cannot be removed now holds up no other."""
        for each in await self.conversations.expired(UNDO_SECONDS):
            try:
                await self._remove_conversation(each)
            except Exception:
                log.exception("a deleted conversation is removed in a later round")

    async def _remove_conversation(self, conversation: Conversation) -> None:
        user_id = conversation.user_id
        await self.library.delete_scope(user_id, conversation.id)
        await self.follow_ups.forget(user_id, conversation.id)
        await self._checkpointer.adelete_thread(conversation.id)
        await self.ledger.forget(user_id, await self.conversations.runs_of(conversation))
        await self.conversations.remove(conversation)

    async def run(self, user_id: str, run_id: str) -> Run:
        """A run that its reader may still see.

        Raises:
            PalimpsestError: it is another's, or of a conversation that was deleted ("not_found").
        """
        run = await self.ledger.get(user_id, run_id)
        if run.conversation_id:
            await self.conversations.get(user_id, run.conversation_id)
        return run

    # -- library ---------------------------------------------------------------------------

    async def load_samples(self, user_id: str) -> list[Submission]:
        """Copies of the sample documents, each submitted as if it had been dropped.

        Their readings and vectors come with them, so that the first question finds all of them.
        """
        await self.retrieval.accept_vectors(await asyncio.to_thread(sample_vectors))
        submissions = []
        for path in self.samples.paths:
            with tempfile.TemporaryDirectory(prefix="palimpsest-sample-") as folder:
                copy = await asyncio.to_thread(shutil.copy, path, folder)
                submissions.append(await self.library.submit(user_id, Path(copy), path.name))
        return submissions

    # -- health ----------------------------------------------------------------------------

    async def health(self) -> Health:
        """Every part, its state, and what that means for answers."""
        return Health(parts=[await self._truth_part(), *await self.retrieval.parts(), self._model_part()])

    async def _truth_part(self) -> Part:
        name = message("workbench.documents_conversations")
        try:
            await self.truth.collection("documents").count()
        except Exception as error:
            log.warning("the truth cannot be read", exc_info=True)
            return Part(name=name, state="red", meaning=explain(error).remedy)
        return Part(name=name, state="green", meaning=message("workbench.stored_readable"))

    def _model_part(self) -> Part:
        name = message("workbench.language_model")
        if self.models.configured:
            chosen = self.models.resolve(None)
            return Part(name=name, state="green", meaning=Words.alike(chosen))
        return Part(
            name=name,
            state="green",
            meaning=message("workbench.none_configured_answers_quotations_documents"),
        )

    def _conversation_memory(self) -> ConversationMemory | None:
        if not self.settings.memory.enabled:
            return None
        judge = ModelJudge(self.models) if self.models.configured else None
        detector = OutcomeDetector(judge, Prompts(self.settings.folder / "prompts"), self.settings.memory)
        memory = ConversationMemory(self.memory, self.conversations, Commands(self.memory), detector, self._clock)
        self._stack.push_async_callback(memory.stop)
        return memory

    async def _annotation(self) -> Annotation:
        return build_annotation(
            self.settings,
            self.truth,
            self._catalogue,
            self._contents,
            self._items,
            self._context_cache,
            self.models,
            self.retrieval.metrics.observe,
            await asyncio.to_thread(lambda: frozenset(map(digest, self.samples.paths))),
        )

    def _services(self) -> Services:
        return Services(
            documents=self.retrieval.documents,
            library=self.library,
            tables=self._tables,
            progress=self.progress,
            ledger=self.ledger,
            sets=self.sets,
            conversations=self.conversations,
            rereading=self._rereading,
            models=self.models,
            embeddings=self.retrieval.embeddings_first,
            extractive=ExtractiveAnswerer(self.retrieval.embeddings_first, self.settings),
            clock=self._clock,
            personalities=self.personalities,
            web=self.web,
            settings=self.settings,
            memory=self._turn_memory,
            profile=self.memory.profile if self._turn_memory else None,
        )


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
