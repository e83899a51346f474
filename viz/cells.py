"""The cells of a table's row, as extraction writes them on a line."""

from __future__ import annotations

import re

from core.library.tables.cells import is_figure as is_amount

CELL = " | "
"""Between two cells."""
_YEAR = re.compile(r"(?:19|20)\d\d")


def cells_of(line: str) -> list[str]:
    """None for a line that is no row."""
    return [cell.strip() for cell in line.split(CELL)] if CELL in line else []


def is_figure(cell: str) -> bool:
    """An amount, a share or a dash; a year alone is a heading as often."""
    return is_amount(cell) and not _YEAR.fullmatch(cell.strip())
