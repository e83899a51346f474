"""Defines what is extracted from a file before it is split into chunks: blocks, tables, bookmarks and cover lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel

from core.library.tables.records import Table
from core.store.items import SectionRole

BlockKind = Literal["heading", "paragraph", "list", "table", "code"]
Progress = Callable[[int, int], None]
"""Reports progress: called with the number of units done and the total."""


class Block(BaseModel, frozen=True):
    """A paragraph-like piece of a document, in reading order.

    ``kind`` is the type that the file format gives (a heading style, a table), or ``None`` if it must be derived from
    the text. ``level`` is a heading's level: 1 is the highest, 0 means that it must be derived from the other headings.
    A table's text has one row per line with cells joined by ``" | "``, and the column headings are in ``header`` (the
    first line of ``text`` is then the first data row); ``table`` holds the same table as a record. ``is_comment`` marks
    a reviewer's comment, which is not used to identify the document or its date.
    """

    text: str
    kind: BlockKind | None = None
    level: int = 0
    page: int | None = None
    sheet: str | None = None
    header: str | None = None
    table: Table | None = None
    role: SectionRole = "body"
    is_comment: bool = False


def table_numbers(blocks: Sequence[Block]) -> list[int | None]:
    """The table number for each block, in document order; the parts of one table share its number."""
    seen: dict[int, int] = {}
    return [seen.setdefault(id(block.table), len(seen)) if block.table else None for block in blocks]


class Bookmark(BaseModel):
    """An entry of the outline stored in the file; ``page`` counts from 1."""

    title: str
    level: int
    page: int | None = None


class CoverLine(BaseModel, frozen=True):
    """A line of the first page with its typography. ``size`` is its letter size relative to body text (1). ``top`` and
    ``bottom`` are fractions of the page height from the top; ``start`` and ``end`` are points from the left.
    ``running``: it is a running header that also appears on the following pages."""

    text: str
    size: float
    top: float = 0.0
    bottom: float = 0.0
    start: float = 0.0
    end: float = 0.0
    bold: bool = False
    page: int = 1
    running: bool = False


class Extracted(BaseModel):
    """All content that was extracted from one file.

    ``notes`` are messages for the user (a page could not be read, OCR was used), as English/Hebrew pairs.

    ``page_labels`` are the numbers printed on the pages (``"iv"``, ``"F-12"``), ``None`` for a page without one; the
    list is empty if no page has one. ``cover_lines`` are the lines of the first page, if the format gives their
    typography; ``are_slides``: the pages are slides of a presentation.
    """

    blocks: list[Block]
    mime: str
    pages: int | None = None
    title: str | None = None
    author: str | None = None
    created: str | None = None
    notes: list[tuple[str, str]] = []
    bookmarks: list[Bookmark] = []
    page_labels: list[str | None] = []
    cover_lines: list[CoverLine] = []
    are_slides: bool = False

    @property
    def tables(self) -> list[Table]:
        """Each table once, numbered as by ``table_numbers``."""
        return list({id(block.table): block.table for block in self.blocks if block.table}.values())

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks)
