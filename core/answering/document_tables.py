"""The tables of documents as answers read them: *a user's document* → its tables, kept while it stays what it is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from threading import Lock

from core.answering.measures.statements import statements_by_document
from core.answering.records import Origin, TableEvidence
from core.answering.tables.missing_headers import with_guessed_headers
from core.errors import PalimpsestError
from core.library.identity.names import period_keys
from core.library.library import Library
from core.library.records import Document
from core.library.tables.records import Table
from core.lru_cache import LruCache

log = logging.getLogger(__name__)

MOST_KEPT = 32
"""Documents whose tables stay in memory after they were read: five megabytes for a report of a hundred pages."""
BREATH = 0.05
"""Seconds between two documents that are read ahead, in which others go on."""


class DocumentTables:
    """Several runs may share it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: LruCache[tuple[str, str, int], list[Table]] = LruCache(MOST_KEPT)
        self._changing = Lock()

    async def get(self, user_id: str, document: Document) -> list[Table]:
        """In reading order; none when they cannot be read."""
        key = (user_id, document.id, document.version)
        with self._changing:
            if (kept := self._kept.use(key)) is not None:
                return kept
        try:
            covered = period_keys(document)
            tables = [with_guessed_headers(each, covered) for each in await self._library.tables(user_id, document.id)]
        except PalimpsestError:
            log.warning("the tables of a document could not be read", exc_info=True)
            return []
        with self._changing:
            self._kept[key] = tables
        return tables

    async def read_ahead(self, documents: Sequence[Document], idle: Callable[[], Awaitable[None]]) -> None:
        """Those of ``documents`` (any user's) that are not kept, with what statements are indexed by, so that the first
        question does not wait for it; as many as are kept, each when it is ``idle``."""
        for document in documents[:MOST_KEPT][::-1]:
            if (document.user_id, document.id, document.version) in self._kept:
                continue
            await idle()
            tables = await self.get(document.user_id, document)
            origin = Origin(0, document.id, document.metadata.title, document.filename)
            evidence = [TableEvidence(origin, number, table, "") for number, table in enumerate(tables)]
            await asyncio.to_thread(statements_by_document, evidence)
            await asyncio.sleep(BREATH)
