"""Reads tables of an OpenDocument file: *rows with repeated and merged cells* → rows of texts, limited in size."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from odfdo import Element

from core.library.tables.grid import MOST_COLUMNS

_MOST_ROWS = 20_000
_MOST_CELLS = 50_000
_MOST_REPEATED = 200
"""Maximum number of repetitions of a row with text; empty rows are repeated to the end of a sheet."""
_ROWS = ("table:table-row-group", "table:table-rows")
_CELLS = ("table:table-cell", "table:covered-table-cell")


def table_rows(table: Element, text_of: Callable[[Element], str]) -> tuple[list[list[str]], int]:
    """Returns (cells with merged ones filled, number of rows marked as headings)."""
    rows: list[list[str]] = []
    spans: dict[int, tuple[str, int]] = {}
    headings, left = 0, _MOST_CELLS
    for element, heads in _rows_of(table, False):
        row = _row(element, text_of, spans)
        times = _count(element, "table:number-rows-repeated")
        times = min(times, _MOST_REPEATED) if any(row) else 1
        times = min(times, _MOST_ROWS - len(rows), left // max(1, len(row)))
        left -= times * len(row)
        rows += [list(row) for _ in range(times)]
        headings += heads and headings == len(rows) - 1
        if len(rows) >= _MOST_ROWS or times == 0:
            break
    while rows and not any(rows[-1]):
        rows.pop()
    return rows, headings


def _rows_of(container: Element, heads: bool) -> Iterator[tuple[Element, bool]]:
    for child in container.children:
        if child.tag == "table:table-row":
            yield child, heads
        elif child.tag == "table:table-header-rows":
            yield from _rows_of(child, True)
        elif child.tag in _ROWS:
            yield from _rows_of(child, heads)


def _row(element: Element, text_of: Callable[[Element], str], spans: dict[int, tuple[str, int]]) -> list[str]:
    """One row; ``spans`` has, by column, the text of cells that extend down, and for how many more rows."""
    row: list[str] = []
    across = 0
    for cell in element.children:
        if cell.tag not in _CELLS:
            continue
        covered = cell.tag != _CELLS[0]
        times = min(_count(cell, "table:number-columns-repeated"), MOST_COLUMNS - len(row))
        text = "" if covered else text_of(cell)
        down = _count(cell, "table:number-rows-spanned")
        for _ in range(times):
            column = len(row)
            if covered:
                text = row[-1] if across > 1 and row else _held(spans, column)
                across -= 1
            elif down > 1:
                spans[column] = (text, down - 1)
            row.append(text)
        if not covered:
            across = _count(cell, "table:number-columns-spanned")
            for column in range(len(row), min(len(row) + across - 1, MOST_COLUMNS)):
                if down > 1:
                    spans[column] = (text, down - 1)
    while row and not row[-1]:
        row.pop()
    return row


def _held(spans: dict[int, tuple[str, int]], column: int) -> str:
    text, left = spans.pop(column, ("", 0))
    if left > 1:
        spans[column] = (text, left - 1)
    return text


def _count(element: Element, name: str) -> int:
    value = element.attributes.get(name, "1")
    return max(1, int(value)) if value.isascii() and value.isdigit() and len(value) < 9 else 1
