"""Splits a line of extracted text into the cells of a table row."""

from __future__ import annotations

import re

from core.library.tables.cells import is_figure as is_amount

CELL = " | "
"""The separator between two cells."""
_YEAR = re.compile(r"(?:19|20)\d\d")


def cells_of(line: str) -> list[str]:
    """The cells; empty for a line that is not a row."""
    return [cell.strip() for cell in line.split(CELL)] if CELL in line else []


def is_figure(cell: str) -> bool:
    """Whether it is an amount, a percentage or a dash; a year is often a heading."""
    return is_amount(cell) and not _YEAR.fullmatch(cell.strip())
