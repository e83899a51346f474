"""Converts a table to text: the block that chunks are cut from, and a row as a self-contained sentence."""

from __future__ import annotations

from core.library.extracted import Block
from core.library.tables.heads import joined
from core.library.tables.records import Column, Row, Table

SEPARATOR = " | "


def table_block(table: Table) -> Block:
    """One line per row; ``header`` contains caption, units and column headings."""
    return Block(
        text="\n".join(filter(None, map(line, table.rows))),
        kind="table",
        page=table.page,
        sheet=table.sheet,
        header=heading(table) or None,
        table=table,
    )


def heading(table: Table) -> str:
    """Caption and units on one line, the column headings on the next."""
    units = f"({table.units})" if table.units else ""
    title = " ".join(part for part in (table.caption, units) if part)
    heads = [_single_line(table.stub or ""), *(_single_line(column_name(column)) for column in table.columns)]
    columns = _trimmed(heads) if any(heads) else ""
    return "\n".join(part for part in (_single_line(title), columns) if part)


def column_name(column: Column) -> str:
    """The column's heading with all levels, and its own unit."""
    name = joined(column.header)
    return f"{name} ({column.unit})" if column.unit and column.unit not in name else name


def line(row: Row) -> str:
    return _trimmed([_single_line(row.label), *(_single_line(cell.text) for cell in row.cells)])


def _single_line(text: str) -> str:
    """The cell's text without line breaks."""
    return text.replace("|", "¦")


def _trimmed(cells: list[str]) -> str:
    """Cells without empty ones at the edges; those in between keep their position."""
    while cells and not cells[-1]:
        cells = cells[:-1]
    while cells and not cells[0]:
        cells = cells[1:]
    return SEPARATOR.join(cells)
