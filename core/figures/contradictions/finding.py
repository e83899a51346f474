"""Finds contradictions when a document is read, and lists them: *a document* → its cells that others print differently.

A document is compared with the other documents of its owner that are by the same organisation.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence

from core.figures.contradictions.cells import CellIndex, index_of
from core.figures.contradictions.compare import contradicting
from core.figures.contradictions.records import Contradiction
from core.figures.contradictions.store import ContradictionStore
from core.figures.stored.block import FigureBlock
from core.figures.stored.figure_store import FigureStore
from core.language.normalisation import fold
from core.library.catalogue import Catalogue
from core.library.records import Document
from core.lru_cache import LruCache
from core.store.items import LIBRARY

log = logging.getLogger(__name__)

MOST_OTHERS = 40
"""Maximum number of documents that a document is compared with, the newest first."""
_MOST_INDEXES = 24
"""Maximum number of documents whose cells stay indexed: about two megabytes for a report of two hundred pages."""


class FigureContradictions:
    """Finds, stores and lists contradictions."""

    def __init__(self, store: ContradictionStore, figures: FigureStore, catalogue: Catalogue) -> None:
        self._store, self._figures, self._catalogue = store, figures, catalogue
        self._indexes: LruCache[tuple[str, str], CellIndex] = LruCache(_MOST_INDEXES)

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        await self._store.ensure()

    async def find(self, document: Document) -> None:
        """Compares a document, whose figures were stored, with its owner's other documents, and stores the result in
        place of its earlier one. A failure is logged; the next maintenance run tries again."""
        try:
            await self._find(document)
        except Exception:
            log.warning("%s is compared with other documents at the next upkeep", document.id, exc_info=True)

    async def uncompared(self, most: int) -> list[Document]:
        """Across all users: documents of libraries that were not compared yet (maintenance)."""
        return await self._catalogue.completed_besides(await self._store.compared(), most)

    async def of_user(self, user_id: str) -> list[Contradiction]:
        """Returns all contradictions between documents of the library that the user may read."""
        seen = await self._catalogue.seen(user_id, scope=LIBRARY)
        visible = {document.id for document in seen}
        owners = dict.fromkeys(document.user_id for document in seen)
        return [pair for owner in owners for pair in await self._store.of_owner(owner, visible)]

    async def of_documents(self, user_id: str, document_ids: Iterable[str]) -> list[Contradiction]:
        """Returns the contradictions that have a cell in one of these documents."""
        ids = set(document_ids)
        return [
            pair
            for pair in await self.of_user(user_id)
            if pair.first.document_id in ids or pair.second.document_id in ids
        ]

    async def _find(self, document: Document) -> None:
        own = await self._index(document) if document.scope == LIBRARY else None
        found = []
        for other in await self._others(document) if own else ():
            theirs = await self._index(other)
            if own and theirs and (pairs := await asyncio.to_thread(contradicting, own, theirs)):
                ours, others = await self._block(document), await self._block(other)
                if ours is not None and others is not None:
                    made = [
                        Contradiction(first=ours.figure(document, a.number), second=others.figure(other, b.number))
                        for a, b in pairs
                    ]
                    found.append((other.id, made))
        await self._store.put(document.user_id, document.id, found)

    async def _others(self, document: Document) -> Sequence[Document]:
        names = _names(document)
        return [
            other
            for other in await self._catalogue.seen(document.user_id, scope=LIBRARY)
            if other.id != document.id and other.user_id == document.user_id and names & _names(other)
        ][:MOST_OTHERS]

    async def _index(self, document: Document) -> CellIndex | None:
        """Returns the cells of a document; ``None`` if its figures are not stored yet."""
        entry = await self._figures.entry(document.user_id, document.id)
        if entry is None:
            return None
        key = document.id, entry.stamp
        if (kept := self._indexes.use(key)) is not None:
            return kept
        block = await self._figures.block(document.user_id, document.id, entry.stamp)
        if block is None:
            return None
        made = await asyncio.to_thread(lambda: index_of(block.figure(document, cell) for cell in range(block.count)))
        self._indexes[key] = made
        return made

    async def _block(self, document: Document) -> FigureBlock | None:
        entry = await self._figures.entry(document.user_id, document.id)
        return await self._figures.block(document.user_id, document.id, entry.stamp) if entry else None


def _names(document: Document) -> set[str]:
    """Returns the names of the organisation that a document is by, folded."""
    return {fold(name) for each in document.metadata.organisations[:1] for name in (each.name, *each.aliases)}
