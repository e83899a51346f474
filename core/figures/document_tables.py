"""Loads and caches the tables of documents for answers; a cached document is reloaded when it changes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from threading import Lock

from core.errors import PalimpsestError
from core.figures.measures.statements import statements_by_document
from core.figures.records import Origin, TableEvidence
from core.figures.tables.missing_headers import with_guessed_headers
from core.library.identity.names import period_keys
from core.library.library import Library
from core.library.records import Document
from core.library.tables.records import Table
from core.lru_cache import LruCache

log = logging.getLogger(__name__)

MOST_KEPT = 32
"""Maximum number of documents whose tables stay in memory: five megabytes for a report of a hundred pages."""
BREATH = 0.05
"""Seconds to pause between two documents whose tables are loaded ahead of time, so that other tasks can run."""


class DocumentTables:
    """A cache of document tables that can be used by several runs at the same time."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: LruCache[tuple[str, str, int], list[Table]] = LruCache(MOST_KEPT)
        self._changing = Lock()

    async def get(self, user_id: str, document: Document) -> list[Table]:
        """Returns a document's tables in reading order; none if they cannot be read."""
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
        """Loads the uncached ``documents`` (of any user) ahead of time and indexes their statements, so that the first
        question need not wait. Loads at most as many as the cache holds, each when the process is ``idle``."""
        for document in documents[:MOST_KEPT][::-1]:
            if (document.user_id, document.id, document.version) in self._kept:
                continue
            await idle()
            tables = await self.get(document.user_id, document)
            origin = Origin(0, document.id, document.metadata.title, document.filename)
            evidence = [TableEvidence(origin, number, table, "") for number, table in enumerate(tables)]
            await asyncio.to_thread(statements_by_document, evidence)
            await asyncio.sleep(BREATH)
