"""Connects the memory to the library: lists the books that a user can quote, and exports them for backups."""

from __future__ import annotations

import re

from core.library.contents import DATASET_CORRECTIONS, OUTLINES, TABLES
from core.library.library import Library
from core.library.records import Document, DocumentSet
from core.library.removed_documents import DEPARTURES
from core.memory.maintenance.backup import Section
from core.memory.memory import BookEntry
from core.store.truth import Json


class LibraryBooks:
    """Implements the ``Books`` protocol of :mod:`core.memory.memory` on top of the library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def list_books(self, user_id: str) -> list[BookEntry]:
        found = await self._library.find(user_id)
        return [
            BookEntry(id=each.id, title=each.metadata.title, filename=each.filename, chunks=each.chunks)
            for each in found
            if each.state == "completed"
        ]

    async def remove_book(self, user_id: str, document_id: str) -> None:
        await self._library.delete(user_id, document_id)


def _without_vectors(row: Json) -> Json:
    """Drops the vector counts, which are counted again, and the sharing, which is decided at the restore."""
    return {**_private(row), "embedded": 0, "has_all_vectors": False}


def _private(row: Json) -> Json:
    return {**row, "org_id": None}


BOOK_SECTIONS = (
    Section(OUTLINES),
    Section(TABLES),
    Section(DATASET_CORRECTIONS, identifier=re.compile(r"set_[0-9a-f]{32}:c\d{1,4}")),
    Section(DEPARTURES),
    Section("documents", Document, originals=True, fresh=_without_vectors),
    Section("sets", DocumentSet, fresh=_private),
)
"""The library's collections in a backup, in the order in which they are restored."""
