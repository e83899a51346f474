"""Finds the printed form of a quoted table row; the quote may also name the unit and the period."""

from __future__ import annotations

from core.library.tables.packing import rows_from, unpack
from core.library.tables.records import Row, Table
from core.library.viewing.locating import folded
from core.library.viewing.orders import PrintedCell

_SHORTEST_LABEL = 3


def printed_rows(table: Table, quote: str) -> list[str]:
    """The rows that the quote may refer to, most likely first, each as its label and cells are printed on the page."""
    wanted = folded(quote)
    scored = [(score, row) for row in unpack(table).rows if (score := _quoted_characters(row, wanted))]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    return [text for _, row in scored[:3] for text in printed_row(row)]


def printed_row(row: Row) -> list[str]:
    """The printed forms of a row, the fullest first."""
    cells = [cell.text for cell in row.cells if cell.text]
    return [" ".join([row.label, *cells]), row.label]


def printed_cell(table: Table, row: int, column: int, page: int) -> PrintedCell | None:
    """The printed cell, if it exists and is not empty; ``page`` is the page where the table begins."""
    line = next(iter(rows_from(table, row, 1)), None) if row >= 0 else None
    if line is None or not 0 <= column < len(line.cells):
        return None
    cell = line.cells[column]
    if not cell.text.strip():
        return None
    before = [line.label, *(each.text for each in line.cells[:column])]
    return PrintedCell(page=line.page or page, text=cell.text, box=cell.box, lead=" ".join(filter(None, before)))


def _quoted_characters(row: Row, wanted: str) -> int:
    """The number of characters of label, parent labels and cells in the quote; 0 without the label or without any
    cell."""
    label = folded(row.label)
    if len(label) < _SHORTEST_LABEL or label not in wanted:
        return 0
    cells = [folded(cell.text) for cell in row.cells]
    held = sum(len(cell) for cell in cells if cell and cell in wanted)
    return held and len(label) + held + sum(len(parent) for parent in map(folded, row.parents) if parent in wanted)
