"""Counts and sums: *rows* → how many there are, and what their quantities come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pydantic import BaseModel

from core.tools.datagov.column_kinds import ADDED_UP
from core.tools.datagov.reading import Rows
from core.tools.tool import Cell

MOST_SUMS = 4


class ColumnSum(BaseModel):
    """Of one column, over the rows that hold a number there; ``year``: of the latest year alone, where rows tell of
    several, whose sum would count everything once a year."""

    column: str
    total: float
    year: int | None = None


def sums_of(read: Rows) -> list[ColumnSum]:
    """Of the columns whose values may be added up."""
    chosen, year = _latest_year(read)
    found = []
    for place, column in enumerate(read.columns):
        if column.kind not in ADDED_UP:
            continue
        numbers = [number for row in chosen if (number := number_in(row[place])) is not None]
        if numbers:
            found.append(ColumnSum(column=column.name, total=sum(numbers), year=year))
    return found[:MOST_SUMS]


def _latest_year(read: Rows) -> tuple[Sequence[list[Cell]], int | None]:
    place = next((place for place, column in enumerate(read.columns) if column.kind == "year"), None)
    if place is None:
        return read.rows, None
    by_year: defaultdict[int, list[list[Cell]]] = defaultdict(list)
    for row in read.rows:
        number = number_in(row[place])
        if number is not None:
            by_year[int(number)].append(row)
    if len(by_year) < 2:
        return read.rows, None
    latest = max(by_year)
    return by_year[latest], latest


def number_in(cell: Cell) -> float | None:
    """What a cell counts; ``None`` for text."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return float(cell)
    plain = cell.replace(",", "").strip().rstrip("%")
    try:
        return float(plain)
    except ValueError:
        return None
