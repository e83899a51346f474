"""Removes the passages of deleted documents from all searches; runs in the background for long documents.

If a process stops before it is done, the next one finishes the work (``LibraryMaintenance.resume``).
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from core.library.records import Document
from core.memory.items.writing import MemoryItems
from core.resilience.ending import end

log = logging.getLogger(__name__)

LONG = 5_000
"""A deletion of at least this many passages takes seconds, so it continues in the background."""


@dataclass
class Burials:
    """Hides passages with ``bury``. Wait with ``settle`` until that is done before you bring them back."""

    _items: MemoryItems
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def bury(self, document: Document) -> None:
        if document.chunks <= LONG:
            await self._items.bury_document(document.user_id, document.id)
        elif document.id not in self._tasks:
            task = asyncio.create_task(self._bury(document), name=f"bury {document.id}")
            self._tasks[document.id] = task
            task.add_done_callback(lambda _: self._tasks.pop(document.id, None))

    async def _bury(self, document: Document) -> None:
        try:
            await self._items.bury_document(document.user_id, document.id)
        except Exception:
            log.warning("the passages of %s are left to the next upkeep", document.id, exc_info=True)

    async def settle(self, document_id: str) -> None:
        """Wait until the running removal of a document's passages has ended."""
        if task := self._tasks.get(document_id):
            await task

    async def stop(self) -> None:
        await end(list(self._tasks.values()))
