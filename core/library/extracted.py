"""What a file says, before it is cut into chunks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from pydantic import BaseModel

from core.library.tables.records import Table
from core.store.items import SectionRole

BlockKind = Literal["heading", "paragraph", "list", "table", "code"]
Progress = Callable[[int, int], None]
"""Done, total."""


class Block(BaseModel, frozen=True):
    """A paragraph-like piece in reading order.

    ``kind`` is what the format itself said (a heading style, a table), or ``None`` when only the text can tell;
    ``level`` is that of a heading, 1 the highest, 0 when only its place among others can tell.
    A table's text is one row a line, cells joined by ``" | "``, the column headings in ``header``
    (the first line of ``text`` is then the first data row); ``table`` is the same as a record.
    ``is_comment``: what a reader noted on the document, which says nothing of what it is or when it is of.
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
    """For each block the number of its table in the order of the document; parts of one table share its number."""
    seen: dict[int, int] = {}
    return [seen.setdefault(id(block.table), len(seen)) if block.table else None for block in blocks]


class Bookmark(BaseModel):
    """An entry of the outline that the file itself carries; ``page`` counts from 1."""

    title: str
    level: int
    page: int | None = None


class CoverLine(BaseModel, frozen=True):
    """A line of the first page in its type: ``size`` is that of its letters where running text is 1; ``top`` and
    ``bottom`` are shares of the page's height from above, ``start`` and ``end`` points from the left; ``running``: it
    heads the pages that follow, too."""

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
    """``notes`` are sentences for people (a page could not be read, OCR was used), as English/Hebrew pairs.

    ``page_labels`` are the numbers printed on the pages (``"iv"``, ``"F-12"``), ``None`` where a page has none; empty
    when no page has one. ``cover_lines`` are the lines of the first page, where the format knows their type;
    ``are_slides``: its pages are those of a deck.
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
        """Each once, numbered as by ``table_numbers``."""
        return list({id(block.table): block.table for block in self.blocks if block.table}.values())

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks)
