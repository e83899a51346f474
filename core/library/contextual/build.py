"""Builds what a chat model says of documents before their vectors are made: what they are, and where passages stand."""

from __future__ import annotations

from collections.abc import Callable

from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.contextual.annotation import Annotation
from core.library.contextual.cache import ContextCache
from core.library.contextual.prefixes import ContextualPrefixes
from core.library.description.model_metadata import ModelMetadata
from core.memory.items.writing import MemoryItems
from core.models.chat import ChatModels, Purpose
from core.models.structured import PurposeModel
from core.resilience.dependencies import CircuitBreaker, Dependency, Observer
from core.settings import Settings
from core.store.truth import Truth


def build_annotation(
    settings: Settings,
    truth: Truth,
    catalogue: Catalogue,
    contents: Contents,
    items: MemoryItems,
    cache: ContextCache,
    models: ChatModels,
    observe: Observer,
    suspicious: Callable[[str], bool],
    ready_made: frozenset[str],
) -> Annotation:
    """``suspicious``: whether a text is of a model that was taken over by what it read;
    ``ready_made`` are the digests of files of which nobody is asked."""

    def bounded(name: str, seconds: float) -> Dependency:
        breakers = settings.breakers
        return Dependency(name, seconds, CircuitBreaker(breakers.failures, breakers.cooldown), observe)

    def model(purpose: Purpose) -> PurposeModel:
        return PurposeModel(models, None, purpose)

    asking = bounded("Metadata by a model", settings.deadlines.metadata)
    metadata = ModelMetadata(
        truth, catalogue, items, cache, model("metadata"), asking, settings, suspicious, ready_made
    )
    asking = bounded("Contextual prefixes", settings.deadlines.prefix)
    contexts = ContextualPrefixes(truth, contents, cache, model("contexts"), asking, settings, suspicious, ready_made)
    return Annotation(
        metadata,
        contexts,
        lambda: models.configured,
        wants_metadata=lambda: settings.metadata.enabled,
        wants_contexts=lambda: settings.prefix.enabled,
    )
