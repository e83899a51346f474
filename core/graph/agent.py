"""Builds the agent from the library, memory, models and tools; starts and stops its background work."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass

from core.clock import Clock
from core.datasets.service import Datasets
from core.figures.contradictions.finding import FigureContradictions
from core.figures.document_tables import MOST_KEPT, DocumentTables
from core.figures.stored.lookup import StoredFigures
from core.graph.build import build_agent
from core.graph.full_answers import FollowUps
from core.graph.memory.commands import Commands
from core.graph.memory.conversation import ConversationMemory
from core.graph.services import Services
from core.graph.starter_questions import StarterQuestions
from core.graph.suggested_questions import SuggestedQuestions
from core.graph.trying import Trials
from core.graph.turns import Turns
from core.graph.understanding.intent.probabilities import Estimator
from core.library.build import LibraryServices
from core.library.catalogue import Catalogue
from core.library.samples import Samples
from core.memory.memory import Memory
from core.memory.outcomes.detector import ModelJudge, OutcomeDetector
from core.memory.retrieval import Retrieval
from core.models.chat import ChatModels
from core.models.extractive import ExtractiveAnswerer
from core.models.nli.build import build_nli
from core.personality.personalities import Personalities
from core.personality.preferences import PreferencesStore
from core.prompts.templates import Prompts
from core.resilience.worker_processes import WorkerProcesses
from core.review.questions.candidate import CandidateQuestion
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.runs.runner import Runner
from core.runs.scheduler import Scheduler
from core.settings import Settings
from core.store.checkpoints import Checkpointer
from core.store.truth import Truth
from core.tools.tools import Tools
from core.traces import Traces

TABLES_AHEAD_SECONDS = 10.0


@dataclass
class AgentServices:
    """The agent's services. ``build`` returns the object that runs the turns (a question and its answer); then call
    ``start``; ``stop`` ends the runs still in progress."""

    _settings: Settings
    _truth: Truth
    _catalogue: Catalogue
    _library: LibraryServices
    _figures: StoredFigures
    _contradictions: FigureContradictions
    _datasets: Datasets
    _retrieval: Retrieval
    _memory: Memory
    _conversations: Conversations
    _personalities: Personalities
    _preferences: PreferencesStore
    _tools: Tools
    _models: ChatModels
    _ledger: RunLedger
    _runner: Runner
    _clock: Clock
    _workers: WorkerProcesses
    _serves: bool
    """Whether this process answers questions."""

    def __post_init__(self) -> None:
        self._stack = AsyncExitStack()
        self._prompts = Prompts(self._settings.folder / "prompts")
        self.follow_ups = FollowUps(self._truth, self._catalogue, self._clock)
        self.tables = DocumentTables(self._library.library)
        self._ahead = Scheduler("the tables that are read ahead", self._read_ahead, TABLES_AHEAD_SECONDS)

    def build(self, checkpointer: Checkpointer, traces: Traces) -> Turns:
        """Builds the ``Turns`` object, which runs the graph; ``checkpointer`` stores the state of each conversation."""
        memory = self._conversation_memory()
        self._stack.push_async_callback(memory.stop)
        services = self._services(memory)
        self.trials = Trials(services, self._runner, self._settings)
        self._turns = Turns(
            build_agent(services, checkpointer), checkpointer, self._ledger, self._runner,
            self._conversations, self._library.library, self._models, self.follow_ups, self._clock, self._settings,
            traces,
        )  # fmt: skip
        return self._turns

    def starters(self, samples: Samples) -> StarterQuestions:
        """Builds the service that suggests starter questions; it tries them with the agent that ``build`` makes."""

        return StarterQuestions(self._library.library, samples, self._is_found)

    def suggested(self) -> SuggestedQuestions:
        """Builds the service that suggests questions below an answer, tried in the same way."""
        return SuggestedQuestions(self._library.library, self._conversations, self._ledger, self._is_found)

    async def _is_found(self, user_id: str, candidate: CandidateQuestion) -> bool:
        return await self.trials.found(user_id, candidate)

    async def start(self) -> None:
        """Starts the background work: full answers that must follow partial ones, and reading tables ahead of time."""
        self._stack.push_async_callback(self._runner.stop)
        await self.follow_ups.start(self._turns.follow_up)
        self._stack.push_async_callback(self.follow_ups.stop)
        if self._serves:
            await self._ahead.start()
            self._stack.push_async_callback(self._ahead.stop)

    async def drain(self) -> None:
        """Starts no more full answers (which follow partial ones); gives the running ones ``jobs.drain`` seconds to
        finish."""
        await self.follow_ups.drain()
        await self._runner.quiet(self._settings.jobs.drain)

    async def stop(self) -> None:
        await self._stack.aclose()

    async def _read_ahead(self) -> None:
        latest = await self._catalogue.latest(MOST_KEPT)
        await self._figures.read_ahead(latest, self._runner.idle)
        await self.tables.read_ahead(latest, self._runner.idle)

    def _conversation_memory(self) -> ConversationMemory:
        judge = ModelJudge(self._models)
        detector = OutcomeDetector(judge, self._prompts, self._settings.memory, lambda: self._models.configured)
        commands = Commands(self._memory, self._conversations)
        return ConversationMemory(self._memory, self._conversations, commands, detector, self._clock)

    def _services(self, memory: ConversationMemory) -> Services:
        return Services(
            documents=self._retrieval.documents,
            library=self._library.library,
            viewer=self._library.viewer,
            tables=self.tables,
            figures=self._figures,
            contradictions=self._contradictions,
            datasets=self._datasets,
            progress=self._library.progress,
            stalled=self._library.stalled,
            ledger=self._ledger,
            sets=self._library.sets,
            conversations=self._conversations,
            rereading=self._library.rereading,
            models=self._models,
            embeddings=self._retrieval.embeddings_first,
            extractive=ExtractiveAnswerer(self._retrieval.embeddings_first, self._settings),
            clock=self._clock,
            personalities=self._personalities,
            tools=self._tools,
            preferences=self._preferences,
            settings=self._settings,
            prompts=self._prompts,
            estimator=Estimator(self._retrieval.embeddings_first),
            workers=self._workers,
            inference=build_nli(self._settings),
            turn_memory=memory,
            suggestions=self._memory.profile,
        )
