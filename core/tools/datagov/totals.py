"""Counts rows and adds up their quantities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from pydantic import BaseModel

from core.tools.datagov.column_kinds import ADDED_UP
from core.tools.datagov.reading import Rows
from core.tools.tool import Cell

MOST_SUMS = 4


class ColumnSum(BaseModel):
    """One column's sum over its numeric rows. ``year``: if the rows cover several years, the sum is only over the
    latest one, because otherwise things would be counted repeatedly."""

    column: str
    total: float
    year: int | None = None


def sums_of(read: Rows) -> list[ColumnSum]:
    """Sums of the columns whose values may be added up."""
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
    """A cell's number; ``None`` for text."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, (int, float)):
        return float(cell)
    plain = cell.replace(",", "").strip().rstrip("%")
    try:
        return float(plain)
    except ValueError:
        return None
