"""Finds the passage that shows a stored figure, so that the figure can be cited and opened."""

from __future__ import annotations

import hashlib

from core.figures.stored.records import StoredFigure
from core.language.normalisation import fold
from core.library.library import Library
from core.library.records import Document
from core.store.items import MemoryItem
from core.tools.cited_passages import source_of
from core.tools.evidence import Operand
from core.tools.tool import Caller

PERCENT_UNITS = frozenset(("%", "percent", "percentage", "share"))


def key_of(figure: StoredFigure) -> str:
    """A key that is the same in every call: document, table, row and column, or a digest of the sentence."""
    if figure.table is not None:
        return f"{figure.document_id}/{figure.table}/{figure.row}/{figure.column}"
    said = f"{figure.page} {figure.label} {figure.text} {figure.value}"
    return f"{figure.document_id}/s{hashlib.sha256(said.encode()).hexdigest()[:12]}"


def operand_of(figure: StoredFigure, source: int) -> Operand:
    """The figure as a number to calculate with. ``source`` is its citation number."""
    percent = figure.unit.strip().lower() in PERCENT_UNITS
    return Operand(
        key=key_of(figure),
        label=" › ".join([*figure.parents[-1:], figure.label]),
        period=figure.period,
        value=figure.value,
        scale=1.0 if percent else figure.scale,
        unit="%" if percent else figure.unit,
        currency="" if percent else figure.currency,
        title=figure.title,
        page=figure.page,
        source=source,
    )


class FigurePassages:
    """Cites figures during one call; reads each table's passages once."""

    def __init__(self, library: Library, caller: Caller) -> None:
        self._library = library
        self._caller = caller
        self._read: dict[tuple[str, int | None], list[MemoryItem]] = {}

    async def number(self, document: Document, figure: StoredFigure) -> int:
        """The citation number of the passage that shows the figure; 0 if no passage does."""
        items = await self._items(document, figure.table)
        best = max(items, key=lambda item: _shown(item, figure), default=None)
        if best is None or not _shown(best, figure):
            return 0
        return self._caller.evidence.cite(source_of(document, [best]))[0][0]

    async def _items(self, document: Document, table: int | None) -> list[MemoryItem]:
        key = (document.id, table)
        if key not in self._read:
            user_id = self._caller.user_id
            self._read[key] = (
                await self._library.chunks(user_id, document.id)
                if table is None
                else await self._library.passages_of_table(user_id, document.id, table)
            )
        return self._read[key]


def _shown(item: MemoryItem, figure: StoredFigure) -> int:
    """How well a passage shows the figure: its cell, its label, its page; 0 if it is not there at all."""
    text, book = fold(item.text), item.source.book
    cell, label = fold(figure.text) in text, fold(figure.label) in text
    page = bool(book and book.page == figure.page)
    return 4 * cell + 2 * label + page if cell or (label and figure.table is not None) else 0
