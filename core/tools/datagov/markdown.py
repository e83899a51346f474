"""Writes tables as Markdown, for chats and models: few columns, few rows, short cells (docs/specification.md, "Open
data")."""

from __future__ import annotations

from collections.abc import Sequence

from core.tools.datagov.column_kinds import ColumnKind
from core.tools.datagov.records import Column
from core.tools.tool import Cell

COLUMNS, ROWS, CELL = 6, 20, 50
"""Maximum number of columns, of rows, and of characters in a cell."""
_FIRST: tuple[ColumnKind, ...] = ("name", "city")


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """The first columns and rows as a Markdown table; an empty cell is a hyphen."""
    heads = [_plain(name) for name in columns[:COLUMNS]]
    lines = [heads, ["---"] * len(heads)]
    lines += [[_cell(cell) for cell in row[:COLUMNS]] for row in rows[:ROWS]]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def telling_first(columns: Sequence[Column], asked: Sequence[ColumnKind]) -> list[int]:
    """Column indices, the most informative first: names, requested columns, places, the others in order; row numbers
    last."""

    def rank(place: int) -> tuple[int, int]:
        kind = columns[place].kind
        if kind == "name":
            return 0, place
        if kind in asked:
            return 1, place
        if kind in _FIRST:
            return 2, place
        return (4 if kind in ("identifier", "place_code") else 3), place

    return sorted(range(len(columns)), key=rank)


def _cell(cell: Cell) -> str:
    if cell is None or cell == "":
        return "-"
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    text = _plain(str(cell))
    return text if len(text) <= CELL else text[: CELL - 1] + "…"


def _plain(text: str) -> str:
    """The text without characters that would end its table cell."""
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")
