"""Cuts the rows of a sheet into its tables, titles and remarks, whatever the format of the workbook."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from core.library.extract.table import table_block
from core.library.extracted import Block
from core.library.tables.heads_of_words import has_headings


def sheet_blocks(rows: Sequence[list[str]], sheet: str) -> list[Block]:
    """Tables parted by empty rows; lone lines between them are titles and remarks."""
    blocks: list[Block] = []
    last_header: tuple[str, int] | None = None
    for part in (list(run) for filled, run in groupby(rows, key=bool) if filled):
        titles = 0
        while titles < len(part) and len(set(filter(None, part[titles]))) < 2:
            titles += 1
        if titles and titles == len(part) and titles > 3:
            titles = 0  # A column of values is a table of one column.
        lines = [" ".join(dict.fromkeys(filter(None, row))) for row in part[:titles]]
        blocks += [Block(text=line, sheet=sheet) for line in lines]
        table = part[titles:]
        if not table:
            continue
        width = max(map(len, table))
        filled = [row + [""] * (width - len(row)) for row in table]
        above = [block.text for block in blocks[-3:] if block.kind != "table"]
        block = table_block(filled, sheet=sheet, caption=lines[-1] if lines else None, above=above, spans=True)
        if block and not block.header and last_header and last_header[1] == width and not has_headings(filled):
            block = block.model_copy(update={"header": last_header[0]})
        if block:
            blocks.append(block)
            last_header = (block.header, width) if block.header else last_header
    return blocks
