"""What the nodes may call: protocols and facades, never a store or an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.answering.document_tables import DocumentTables
from core.clock import Clock
from core.events import Response
from core.graph.memory.grounds import Grounds
from core.graph.state import State
from core.library.library import Library
from core.library.progress import ReadingProgress
from core.library.rereading import Rereading
from core.library.sets import Sets
from core.memory.profile.suggestions import Profile
from core.memory.recall.turn import Turn
from core.models.chat import ChatModels
from core.models.embeddings import Embeddings
from core.models.extractive import ExtractiveAnswerer
from core.models.nli.inference import InferenceJudge
from core.personality.personalities import Personalities
from core.personality.preferences import PreferencesStore
from core.records.memory_meta import MemoryMeta
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.search.documents.search import DocumentSearch
from core.settings import Settings
from core.tools.tools import Tools


class TurnMemory(Protocol):
    """What the graph asks of the memory."""

    async def recall(self, state: State) -> State:
        """What to add to the state before the action."""

    async def grounds(self, state: State, memory_ids: Sequence[str]) -> Grounds | None:
        """What memories rest on; ``None`` when a part of it is no longer there."""

    def turn(self, state: State) -> Turn | None:
        """What the question has looked up so far, whose numbers [M1], [M2] … its tools share."""

    async def success(self, state: State) -> dict[str, float]:
        """Of actions and tools that were used for such questions three times or more, the share that worked."""

    async def command(self, state: State) -> Response:
        """Do what ``state["intent"].command`` says, and tell what was done."""

    async def learn(self, state: State) -> MemoryMeta | None:
        """Remember a completed turn; what the memory gave to its answer."""


@dataclass(frozen=True)
class Services:
    documents: DocumentSearch
    library: Library
    tables: DocumentTables
    progress: ReadingProgress
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
    inference: InferenceJudge | None = None
    turn_memory: TurnMemory | None = None
    suggestions: Profile | None = None

    @property
    def memory(self) -> TurnMemory | None:
        """``None`` while the memory is switched off."""
        return self.turn_memory if self.settings.memory.enabled else None

    @property
    def profile(self) -> Profile | None:
        """What people state of themselves is offered to be remembered; ``None`` while the memory is switched off."""
        return self.suggestions if self.settings.memory.enabled else None
