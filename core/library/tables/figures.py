"""Defines the service that stores the figures of a document's tables; it is built above the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from core.library.records import Document


class TableFigures(Protocol):
    """Stores the figures of documents. They are removed together with the tables, by ``Contents.remove``."""

    async def ensure(self) -> None:
        """Create what is missing in the record store."""

    async def prepare(self, document: Document) -> None:
        """Store what is read from the file itself, at the same time as its text is read. Never raises because of the
        document."""

    async def covers(self, document: Document, tables: Mapping[str, int]) -> bool:
        """Whether the rows of these tables of a document were stored as datasets. ``tables``: estimated numbers of
        rows, by sheet (empty for a file without sheets)."""

    async def write(self, document: Document) -> None:
        """Store the figures of a document whose tables were stored. Never raises because of the document."""

    async def catch_up(self) -> int:
        """Across all users: store the figures of documents that lack them (maintenance). Returns how many."""
