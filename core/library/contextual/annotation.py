"""What a model says of a document before its vectors are made: what it is, and where its passages stand in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.library.contextual.prefixes import ContextualPrefixes
from core.library.description.model_metadata import ModelMetadata
from core.library.records import Document
from core.models.meter import paid_by
from core.runs.trace import Trace


@dataclass(frozen=True)
class Annotation:
    """``None`` for what no model may say; what it may say is given while it is wanted."""

    metadata: ModelMetadata | None = None
    contexts: ContextualPrefixes | None = None
    configured: Callable[[], bool] = lambda: True
    wants_metadata: Callable[[], bool] = lambda: True
    wants_contexts: Callable[[], bool] = lambda: True

    async def give(self, document: Document, trace: Trace, *, vectors: bool) -> None:
        """Nothing while no model is ``configured``. Contexts come second, because they are told the title; without
        ``vectors`` nobody has a use for them."""
        if not self.configured():
            return
        with paid_by(document.user_id):
            if self.metadata and self.wants_metadata():
                document = await self.metadata.give(document, trace)
            if self.contexts and self.wants_contexts() and vectors:
                await self.contexts.give(document, trace)
