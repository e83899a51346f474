"""Finds rows whose numbers are the sums of the rows above them."""

from __future__ import annotations

from collections.abc import Sequence

from core.library.tables.cells import printed_decimals
from core.library.tables.records import Cell

_LEAST_PARTS, _FEW = 2, 3
_MOST_ROWS = 2_000
"""Maximum number of rows of a table whose last row is compared with the sum of the others; a longer table is a list of
records."""
_EXACT = 100.0
"""Below this value, whole numbers must add up exactly, because small counts match by chance."""


def is_sum(last: Sequence[Cell], parts: Sequence[Sequence[Cell]]) -> bool:
    """Whether ``last`` is the sum of ``parts``, row by row, in every column in which it has a number.

    Two parts that add up in only one column are not enough.
    """
    if not _LEAST_PARTS <= len(parts) <= _MOST_ROWS:
        return False
    columns = 0
    for place, cell in enumerate(last):
        if cell.value is None:
            continue
        values = [row[place].value for row in parts if place < len(row)]
        figures = [value for value in values if value is not None]
        if not any(figures) and not cell.value:
            continue
        if len(figures) < _LEAST_PARTS or not _adds_up(figures, cell):
            return False
        columns += 1 if len(figures) < _FEW else 2
    return columns >= _FEW - 1


def _adds_up(figures: Sequence[float], last: Cell) -> bool:
    value = last.value or 0.0
    decimals = printed_decimals(last.text, value)
    unit = 10.0**-decimals if decimals or abs(value) >= _EXACT else 0.0
    return abs(sum(figures) - value) <= unit + 1e-9 * abs(value)
