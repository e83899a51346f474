"""Splits a table row into cells, as extraction writes them on a line."""

from __future__ import annotations

import re

from core.library.tables.cells import is_figure as is_amount

CELL = " | "
"""Separator between two cells."""
_YEAR = re.compile(r"(?:19|20)\d\d")


def cells_of(line: str) -> list[str]:
    """``None`` for a line that is not a row."""
    return [cell.strip() for cell in line.split(CELL)] if CELL in line else []


def is_figure(cell: str) -> bool:
    """Whether a cell is an amount, a share or a dash; a single year may as well be a heading."""
    return is_amount(cell) and not _YEAR.fullmatch(cell.strip())
