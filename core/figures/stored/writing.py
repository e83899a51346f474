"""Writes the figures of a document when it is read, and of older documents while the process is idle."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

from core.errors import PalimpsestError
from core.figures.stored.extraction import extract
from core.figures.stored.figure_store import FigureStore
from core.figures.stored.packed import PackedFigures
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.records import Document
from core.memory.items.reading import ItemReader
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

AT_ONCE = 50
"""Maximum number of older documents in one maintenance run."""
MOST_PASSAGES = 5_000
"""Number of a document's passages from which scales and headings are taken."""
BREATH = 0.05
"""Seconds to pause between two older documents, so that other tasks can run."""


class Comparing(Protocol):
    """Compares the stored figures of a document with those of others."""

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""

    async def find(self, document: Document) -> None:
        """Compares a document whose figures were stored. Never raises because of the document."""

    async def uncompared(self, most: int) -> list[Document]:
        """Across all users: documents that were not compared yet (maintenance)."""
        ...


class FigureWriting:
    """Extracts and stores figures. ``idle`` returns when this process answers no question, or after a while."""

    def __init__(
        self,
        store: FigureStore,
        catalogue: Catalogue,
        contents: Contents,
        items: ItemReader,
        idle: Callable[[], Awaitable[None]],
        contradictions: Comparing,
    ) -> None:
        self._store, self._catalogue, self._contents = store, catalogue, contents
        self._items, self._idle, self._contradictions = items, idle, contradictions

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        await self._store.ensure()
        await self._contradictions.ensure()

    async def prepare(self, document: Document) -> None:
        """Does nothing: figures are extracted from tables that were stored."""

    async def covers(self, document: Document, tables: Mapping[str, int]) -> bool:
        """Returns False: figures do not replace the rows of a table."""
        return False

    async def write(self, document: Document) -> None:
        """Extracts and stores the figures of a document that has just been read, in place of its earlier ones. A
        failure is logged and does not fail the reading; the next maintenance run tries again."""
        try:
            await self._write(document)
        except Exception:
            log.warning("the figures of %s are left to the next upkeep", document.id, exc_info=True)
        else:
            await self._contradictions.find(document)

    async def catch_up(self) -> int:
        """Across all users: stores the figures of documents that lack them, such as those of an older version of the
        program (maintenance). Returns how many were written; a later call continues."""
        lacking = await self._catalogue.completed_besides(await self._store.written(), AT_ONCE)
        for document in lacking:
            await self._idle()
            await self.write(document)
            await asyncio.sleep(BREATH)
        uncompared = await self._contradictions.uncompared(AT_ONCE - len(lacking)) if len(lacking) < AT_ONCE else []
        for document in uncompared:
            await self._idle()
            await self._contradictions.find(document)
            await asyncio.sleep(BREATH)
        return len(lacking) + len(uncompared)

    async def _write(self, document: Document) -> None:
        user_id, identifier = document.user_id, document.id
        tables = await self._contents.tables(user_id, identifier)
        passages: list[MemoryItem] = []
        if tables:
            passages = await self._items.of_document(user_id, identifier, MOST_PASSAGES)
        try:
            figures = await asyncio.to_thread(extract, document, tables, passages)
        except PalimpsestError:
            raise
        except Exception:
            # The same tables would fail again, so the document counts as done.
            log.exception("no figures could be extracted from %s", identifier)
            figures = PackedFigures()
        await self._store.put(user_id, identifier, figures)
