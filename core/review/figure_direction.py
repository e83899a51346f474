"""Checks words of direction against figures: "rose 8 % to $21,213 million" needs a row that rises."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.review.direction import FALL, RISE
from core.review.lexicon import keys, terms
from core.review.printed_figures import PrintedFigure, RowCell, years_of

if TYPE_CHECKING:
    from core.review.figure_support import Amount

_DIGITS = re.compile(r"\d+")
_NEAR = 0.6
"""Percentage points by which a printed change may differ from the change of its row: both are rounded."""


def moves_agree(claim: str, found: Mapping[Amount, Sequence[PrintedFigure]]) -> bool:
    """Returns whether each rise or fall that ``claim`` names is that of the amount next to it."""
    moves = [term for term in terms(claim) if term.key in (RISE, FALL)]
    amounts = sorted(found, key=lambda amount: amount.start)
    every = [figure for figures in found.values() for figure in figures]
    for move in moves:
        behind = [amount for amount in amounts if amount.start >= move.end]
        amount = (behind or amounts[-1:])[0]
        directions = {direction for figure in found[amount] if (direction := _direction(figure, every))}
        if move.key not in directions:
            return False
    return True


def _direction(figure: PrintedFigure, every: Sequence[PrintedFigure]) -> str | None:
    """Returns where the figure's row goes: by its own cells, or by the same row of another document."""
    if not figure.is_cell:
        moves = keys(figure.line) & {RISE, FALL}
        return next(iter(moves)) if len(moves) == 1 else None
    if figure.unit == "percent":
        change = _printed_change(figure)
        if change:
            return change
    others = [cell for each in every if each.row == figure.row for cell in each.cells]
    signs = set()
    for cell in (*figure.cells, *others):
        if cell.unit == figure.unit and _kind(cell.column) == _kind(figure.column):
            own, other = years_of(figure.column), years_of(cell.column)
            if own and other and own != other:
                signs.add((figure.value > abs(cell.value)) == (max(own) > max(other)))
    return (RISE if signs.pop() else FALL) if len(signs) == 1 else None


def _printed_change(figure: PrintedFigure) -> str | None:
    """Returns the direction of a percentage that is the change between two cells of its row."""
    levels = [cell for cell in figure.cells if cell.unit != "percent" and cell.value]
    for one in levels:
        for other in levels:
            if one is not other and _kind(one.column) == _kind(other.column) and _is_later(one, other):
                change = 100 * (one.value - other.value) / abs(other.value)
                if abs(abs(change) - figure.value) <= _NEAR:
                    return RISE if change > 0 else FALL
    return None


def _is_later(one: RowCell, other: RowCell) -> bool:
    first, second = years_of(one.column), years_of(other.column)
    return bool(first and second) and max(first) > max(second)


def _kind(column: str) -> str:
    """The words of a column heading without its dates: "Three Months Ended"."""
    return " ".join(_DIGITS.sub(" ", column).split())[:12].lower()
