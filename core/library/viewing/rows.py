"""Words quoted from a table in, the row as it is printed out: what is quoted may name unit and period besides."""

from __future__ import annotations

from core.library.tables.records import Row, Table
from core.library.viewing.locating import folded

_SHORTEST_LABEL = 3


def printed_rows(table: Table, quote: str) -> list[str]:
    """The rows that the quote may stand for, likeliest first, each as its label and cells stand on the page."""
    wanted = folded(quote)
    scored = [(score, row) for row in table.rows if (score := _likeness(row, wanted))]
    scored.sort(key=lambda pair: pair[0], reverse=True)
    return [text for _, row in scored[:3] for text in _texts(row)]


def _likeness(row: Row, wanted: str) -> int:
    """Characters of label, parents and cells that the quote holds; 0 without the label or without any cell."""
    label = folded(row.label)
    if len(label) < _SHORTEST_LABEL or label not in wanted:
        return 0
    cells = [folded(cell.text) for cell in row.cells]
    held = sum(len(cell) for cell in cells if cell and cell in wanted)
    return held and len(label) + held + sum(len(parent) for parent in map(folded, row.parents) if parent in wanted)


def _texts(row: Row) -> list[str]:
    cells = [cell.text for cell in row.cells if cell.text]
    return [" ".join([row.label, *cells]), row.label]
