"""Provides the document data that searches need: *user, scopes* → one record for each document."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.entities.periods import named_keys
from core.library.catalogue import LIVE, Catalogue
from core.library.identity.names import period_keys
from core.library.records import CoveredPeriod, Document
from core.lru_cache import LruCache
from core.question.known_entities import KnownDocument, KnownPeriod

_CONVERTED = 10_000
"""Maximum number of converted documents in the cache: as many as the catalogue caches."""


class CatalogueDocuments:
    """Implements the ``SearchableDocuments`` protocol of :mod:`core.memory.retrieval` on top of the catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._converted: LruCache[str, tuple[Document, KnownDocument]] = LruCache(_CONVERTED)

    async def visible(self, user_id: str, scopes: Sequence[str]) -> list[KnownDocument]:
        found = [await self._catalogue.seen(user_id, scope=scope, states=LIVE) for scope in scopes]
        return [self._known(document) for documents in found for document in documents]

    def _known(self, document: Document) -> KnownDocument:
        """Converts an entry once; the catalogue returns the same record until the entry changes."""
        kept = self._converted.use(document.id)
        if kept is None or kept[0] is not document:
            kept = self._converted[document.id] = document, known_document(document)
        return kept[1]

    async def note_pending(self, user_id: str, document_id: str, pending: int) -> None:
        document = await self._catalogue.find(user_id, document_id)
        if document and document.state == "completed":
            embedded = document.chunks - pending
            await self._catalogue.change(user_id, document_id, among=("completed",), embedded=embedded)

    async def forget_vectors(self) -> None:
        await self._catalogue.forget_vectors()


def known_document(document: Document) -> KnownDocument:
    """Convert a catalogue entry to the form that the search needs."""
    metadata = document.metadata
    return KnownDocument(
        document.id,
        document.filename,
        metadata.title,
        tuple(dict.fromkeys(name for each in metadata.organisations for name in (each.name, *each.aliases))),
        tuple(sorted(period_keys(document))),
        metadata.date,
        metadata.kind,
        tuple(KnownPeriod(each.key, _period_keys(each), each.end) for each in metadata.periods),
    )


def _period_keys(period: CoveredPeriod) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for name in (period.key, *period.names) for key in named_keys(name)))
