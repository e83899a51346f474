"""Defines the services that graph nodes may use: interfaces (protocols and facades), so that no node calls a database
or a model engine directly."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from core.clock import Clock
from core.datasets.service import Datasets
from core.figures.contradictions.finding import FigureContradictions
from core.figures.document_tables import DocumentTables
from core.figures.stored.records import FigureLookup
from core.graph.memory.conversation import ConversationMemory
from core.graph.state import PastTurn, State
from core.graph.turn_documents import TurnDocuments
from core.graph.understanding.form_wish import language_wished
from core.graph.understanding.intent.probabilities import Estimator
from core.language.detection import detect
from core.library.library import Library
from core.library.progress import ReadingProgress
from core.library.rereading import Rereading
from core.library.sets import Sets
from core.library.stalled_readings import StalledReadings
from core.library.viewing.viewer import Viewer
from core.memory.profile.suggestions import ProfileSuggestions
from core.models.chat import ChatModels
from core.models.embeddings import Embeddings
from core.models.extractive import ExtractiveAnswerer
from core.models.nli.inference import InferenceJudge
from core.personality.personalities import Personalities
from core.personality.preferences import PreferencesStore
from core.prompts.templates import Prompts
from core.resilience.worker_processes import WorkerProcesses
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.search.documents.search import DocumentSearch
from core.settings import Settings
from core.tools.tools import Tools
from core.words import Language


@dataclass(frozen=True)
class Services:
    documents: DocumentSearch
    library: Library
    viewer: Viewer
    tables: DocumentTables
    figures: FigureLookup
    contradictions: FigureContradictions
    datasets: Datasets
    progress: ReadingProgress
    stalled: StalledReadings
    ledger: RunLedger
    sets: Sets
    conversations: Conversations
    rereading: Rereading
    models: ChatModels
    embeddings: Embeddings | None
    extractive: ExtractiveAnswerer
    clock: Clock
    personalities: Personalities
    tools: Tools
    preferences: PreferencesStore
    settings: Settings
    prompts: Prompts
    estimator: Estimator
    workers: WorkerProcesses
    inference: InferenceJudge | None = None
    turn_memory: ConversationMemory | None = None
    suggestions: ProfileSuggestions | None = None

    @cached_property
    def turn(self) -> TurnDocuments:
        """The documents of the turn, listed once."""
        return TurnDocuments(self.library, self.documents)

    def for_turn(self) -> Services:
        """Returns the same services with a new list of documents, for one run of the graph."""
        return replace(self)

    @property
    def memory(self) -> ConversationMemory | None:
        """The conversation memory, or ``None`` if the memory is switched off."""
        return self.turn_memory if self.settings.memory.enabled else None

    @property
    def profile(self) -> ProfileSuggestions | None:
        """The service that suggests facts about the user to remember; ``None`` if the memory is switched off."""
        return self.suggestions if self.settings.memory.enabled else None

    async def past_turns(self, state: State) -> list[PastTurn]:
        """Returns the conversation's turns that a model may read: without what the user had forgotten."""
        turns = state.get("turns", [])
        if not turns or self.memory is None:
            return turns
        return (await self.memory.forgotten(state["asked"].user_id)).left_of(turns)

    async def answer_language(self, state: State) -> Language:
        """Returns the language of the answer's own sentences: as this message wishes, or the user for all answers, or
        else that of the message."""
        text = state["asked"].text
        wished = language_wished([*state.get("wishes", []), text])
        if language_wished([text]) is None and self.memory is not None:
            wished = await self.memory.language(state["asked"].user_id)
        return wished or detect(text)
