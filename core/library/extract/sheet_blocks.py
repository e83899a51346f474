"""Converts a sheet's rows to blocks: its tables, titles and remarks, for every workbook format."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.extract.table import table_block
from core.library.extracted import Block
from core.library.tables.grid import has_merged
from core.library.tables.heads_of_words import has_headings
from core.library.tables.sheet_parts import SheetLine, SheetTable, sheet_parts, with_shifted_head


def sheet_blocks(rows: Sequence[list[str]], sheet: str | None) -> list[Block]:
    """Tables separated by empty rows; single lines between them are titles and remarks."""
    blocks: list[Block] = []
    last_header: tuple[str, int] | None = None
    for part in sheet_parts(rows):
        if isinstance(part, SheetLine):
            blocks.append(Block(text=part.text, sheet=sheet))
            continue
        width = part.width
        filled = with_shifted_head([row + [""] * (width - len(row)) for row in part.rows], part.first)
        block = _block(part, filled, blocks, sheet)
        if block and not block.header and last_header and last_header[1] == width and not has_headings(filled):
            block = block.model_copy(update={"header": last_header[0]})
        if block:
            blocks.append(block)
            last_header = (block.header, width) if block.header else last_header
    return blocks


def _block(part: SheetTable, filled: list[list[str]], before: Sequence[Block], sheet: str | None) -> Block | None:
    above = [block.text for block in before[-3:] if block.kind != "table"]
    return table_block(filled, sheet=sheet, caption=part.title, above=above, spans=has_merged(filled))
