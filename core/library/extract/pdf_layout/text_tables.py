"""Finds tables of words without rules: rows with aligned pieces → a table block."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from core.library.extract.pdf_layout.layout import Row
from core.library.extract.table import table_block
from core.library.extracted import Block


def end_of_table(rows: Sequence[Row], start: int) -> int:
    """The row after the last of a sequence of rows with several cells; ``start`` if no table begins there."""
    if len(rows[start].pieces) < 2:
        return start
    end = start + 1
    last = end
    while end < len(rows) and end - last < 3:
        if rows[end - 1].bottom - rows[end].top > 1.5 * rows[end].size:
            break
        end += 1
        if len(rows[end - 1].pieces) > 1:
            last = end
    return last


def text_table(rows: Sequence[Row], page: int, right_to_left: bool) -> Block | None:
    """Rows with aligned cells; a single cell between them continues the row above."""
    several = [row for row in rows if len(row.pieces) > 1]
    columns = _columns(several)
    width = median(len(row.pieces) for row in several) if several else 0
    if len(columns) < 2 or len(columns) > 30 or len(several) < (3 if width < 3 else 2):
        return None
    if width < 0.5 * len(columns) or _is_justified_prose(several):
        return None
    if right_to_left:
        columns.reverse()
    table: list[list[str]] = []
    for row in rows:
        cells = _cells(row, columns)
        if table and len(row.pieces) == 1 and sum(map(bool, cells)) == 1:
            table[-1] = [f"{above} {cell}".strip() for above, cell in zip(table[-1], cells, strict=True)]
        else:
            table.append(cells)
    return table_block(table, page=page, cautious=True)


def _columns(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Extents on the page that cells of ``rows`` share, left to right."""
    columns: list[tuple[float, float]] = []
    for x0, x1 in sorted((piece.x0, piece.x1) for row in rows for piece in row.pieces):
        if columns and x0 <= columns[-1][1]:
            columns[-1] = (columns[-1][0], max(columns[-1][1], x1))
        else:
            columns.append((x0, x1))
    return columns


def _cells(row: Row, columns: Sequence[tuple[float, float]]) -> list[str]:
    cells = [""] * len(columns)
    for piece in row.pieces:
        middle = (piece.x0 + piece.x1) / 2
        index = min(range(len(columns)), key=lambda i: max(columns[i][0] - middle, middle - columns[i][1], 0))
        cells[index] = f"{cells[index]} {piece.text}".strip()
    return cells


def _is_justified_prose(rows: Sequence[Row]) -> bool:
    """Whether the rows are justified text with wide word spaces: sentences fill their line, cells do not."""
    words = sum(len(row.text.split()) for row in rows)
    filled = sum(row.filled for row in rows) / sum(row.x1 - row.x0 for row in rows)
    return filled > 0.88 and words / len(rows) > 8
