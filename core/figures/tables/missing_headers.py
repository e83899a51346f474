"""Restores column headings that were lost in parsing, from the table and its document's periods.

A bold or coloured "2031" above the newest column may be missing in the extracted text. If a figure column without any
heading is next to "2030" and "2029", it is the year after, if the document covers that year.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date

from core.library.tables.records import Column, Table

_LEAST_SHARED = 0.6
"""Share of the rows with a figure in the next column that must also have one here."""
_SPARE = 10
"""Days by which years of 52 or 53 weeks may end earlier or later."""
_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def with_guessed_headers(table: Table, periods: Collection[str]) -> Table:
    """Returns ``table`` unchanged if no heading is missing; ``periods`` are keys that its document covers."""
    columns = table.columns
    if len(columns) < 2 or columns[0].period or any(part.strip() for part in columns[0].header):
        return table
    beside = columns[1]
    key = _year_after(beside.period, periods) if beside.period and not (beside.unit or beside.scale) else None
    if key is None or any(each.period == key for each in columns) or not _is_full(table):
        return table
    first = Column(header=[key[:4]], period=key, unit=columns[0].unit, scale=columns[0].scale)
    return table.model_copy(update={"columns": [first, *columns[1:]]})


def _year_after(key: str, periods: Collection[str]) -> str | None:
    if _YEAR.fullmatch(key):
        after = str(int(key) + 1)
        return after if after in periods else None
    if not _DAY.fullmatch(key):
        return None
    end = date.fromisoformat(key)
    wanted = date(end.year + 1, end.month, min(end.day, 28))
    days = [each for each in periods if _DAY.fullmatch(each)]
    near = (each for each in days if abs((date.fromisoformat(each) - wanted).days) <= _SPARE)
    return next(near, f"{end.year + 1}{key[4:]}" if str(end.year + 1) in periods and not days else None)


def _is_full(table: Table) -> bool:
    both = [row.cells for row in table.rows if len(row.cells) > 1 and row.cells[1].text.strip()]
    return bool(both) and sum(bool(cells[0].text.strip()) for cells in both) >= _LEAST_SHARED * len(both)
