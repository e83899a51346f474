"""Chooses the cells of a row that may be put side by side: *row of a document* → cells of the same scope.

A report prints the same quarter of the year before next to its own. That column may be used if it is about the same
thing: the same unit and currency, and no other part of the organisation or way of counting ("at prior year rates").
"""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.panel.spans import ends_with, is_as_long
from core.figures.stored.records import StoredFigure


def of_one_scope(own: StoredFigure, cells: Sequence[StoredFigure]) -> list[StoredFigure]:
    """Returns the cells of a row that report the same thing as ``own``, which is one of ``cells``.

    The title of a table may be printed above its first column of figures, so other words above that column are not
    another scope, unless the row has two values for its period.
    """
    alike = [cell for cell in cells if _units(cell) == _units(own)]
    first = min((cell.column or 0 for cell in cells), default=0)
    return [
        cell
        for cell in alike
        if cell.segment == own.segment
        or (first in (cell.column, own.column) and _is_the_only_value(cell, alike) and _is_the_only_value(own, alike))
    ]


def scope_of(cells: Sequence[StoredFigure]) -> tuple[str, ...]:
    """Returns what cells of one scope are about, to compare rows of two documents."""
    segment = min((cell.segment for cell in cells), key=len, default="")
    return (segment, *_units(cells[0])) if cells else ()


def _units(cell: StoredFigure) -> tuple[str, str]:
    return cell.unit, cell.currency


def _is_the_only_value(cell: StoredFigure, cells: Sequence[StoredFigure]) -> bool:
    return all(other is cell for other in cells if ends_with(other, cell) and is_as_long(other, cell))
