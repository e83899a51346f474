"""What the nodes may call: protocols and facades, never a store or an engine."""

from __future__ import annotations

from dataclasses import dataclass

from core.clock import Clock
from core.library.library import Library
from core.library.rereading import Rereading
from core.models.chat import ChatModels
from core.models.embeddings import Embeddings
from core.models.extractive import ExtractiveAnswerer
from core.search.documents import DocumentSearch
from core.settings import Settings


@dataclass(frozen=True)
class Services:
    documents: DocumentSearch
    library: Library
    rereading: Rereading
    models: ChatModels
    embeddings: Embeddings | None
    extractive: ExtractiveAnswerer
    clock: Clock
    settings: Settings
