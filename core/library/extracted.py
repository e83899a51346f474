"""What a file says, before it is cut into chunks."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

BlockKind = Literal["heading", "paragraph", "list", "table", "code"]


class Block(BaseModel):
    """A paragraph-like piece in reading order.

    ``kind`` is what the format itself said (a heading style, a table), or ``None`` when only the text can tell.
    A table's text is one row a line, cells joined by ``" | "``, the column headings in ``header``
    (the first line of ``text`` is then the first data row).
    """

    model_config = ConfigDict(frozen=True)

    text: str
    kind: BlockKind | None = None
    level: int = 0
    page: int | None = None
    sheet: str | None = None
    header: str | None = None


class Extracted(BaseModel):
    """``notes`` are sentences for people (a page could not be read, OCR was used), as English/Hebrew pairs."""

    blocks: list[Block]
    mime: str
    pages: int | None = None
    title: str | None = None
    author: str | None = None
    created: str | None = None
    notes: list[tuple[str, str]] = []

    @property
    def text(self) -> str:
        return "\n\n".join(block.text for block in self.blocks)
