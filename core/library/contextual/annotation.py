"""Has a model annotate a document before its vectors are made: metadata, and the context of its passages."""

from __future__ import annotations

from dataclasses import dataclass

from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.cache import ContextCache
from core.library.contextual.prefixes import ContextualPrefixes
from core.library.contextual.prompt import Suspicious
from core.library.description.model_metadata import ModelMetadata
from core.library.records import Document
from core.memory.items.writing import MemoryItems
from core.models.chat import ChatModels, Purpose
from core.models.meter import paid_by
from core.models.structured import PurposeModel
from core.resilience.dependencies import CircuitBreaker, Dependency, Observer
from core.runs.trace import Trace
from core.settings import Settings
from core.store.truth import Truth


@dataclass(frozen=True)
class Annotation:
    """Adds metadata and contexts, each only if the settings ask for it."""

    metadata: ModelMetadata
    contexts: ContextualPrefixes
    models: ChatModels
    settings: Settings

    async def give(self, document: Document, trace: Trace, *, vectors: bool) -> None:
        """Annotate a document; does nothing without a configured model. Contexts come second, because their prompt
        contains the title. Without ``vectors`` they are not needed."""
        if not self.models.configured:
            return
        with paid_by(document.user_id):
            if self.settings.metadata.enabled:
                document = await self.metadata.give(document, trace)
            if self.settings.prefix.enabled and vectors:
                await self.contexts.give(document, trace)


def build_annotation(
    settings: Settings,
    truth: Truth,
    catalogue: Catalogue,
    contents: Contents,
    items: MemoryItems,
    cache: ContextCache,
    models: ChatModels,
    observe: Observer,
    suspicious: Suspicious,
    ready_made: frozenset[str],
) -> Annotation:
    """Build the annotation; the model is not called for files in ``ready_made`` (by digest)."""

    def bounded(name: str, seconds: float) -> Dependency:
        return Dependency(name, seconds, CircuitBreaker.of(settings.breakers), observe)

    def model(purpose: Purpose) -> PurposeModel:
        return PurposeModel(models, None, purpose)

    asking = bounded("Metadata by a model", settings.deadlines.metadata)
    metadata = ModelMetadata(
        truth, catalogue, items, cache, model("metadata"), asking, settings, suspicious, ready_made
    )
    asking = bounded("Contextual prefixes", settings.deadlines.prefix)
    contexts = ContextualPrefixes(truth, contents, cache, model("contexts"), asking, settings, suspicious, ready_made)
    return Annotation(metadata, contexts, models, settings)
