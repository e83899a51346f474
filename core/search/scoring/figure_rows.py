"""How far a passage prints the figures that a question seeks: its row labels → 0..1.

Two things speak for a passage: its rows carry the printed names of what is sought, and it is the statement in which
that stands first. A statement is known by its own lines, since headings are lost or shared by many tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.language.fields import Figure, SoughtFigures, statements
from core.search.scoring.row_labels import Labels, plain

ROWS = 0.4
STATEMENT = 0.6
IMPLIED = 0.6
"""What a statement counts that the question does not name, but in which its figures stand first."""
FULL_STATEMENT = 6
"""Lines of a statement that leave no doubt: a table of a few of them is a summary."""


def figures_share(sought: SoughtFigures, labels: Labels) -> float:
    """0 when the question seeks no figure, or the passage has none of its rows."""
    if not labels or not (sought.figures or sought.statements):
        return 0.0
    return ROWS * _row_share(list(sought.figures.values()), labels) + STATEMENT * _statement(sought, labels)


def _row_share(figures: Sequence[Figure], labels: Labels) -> float:
    """The share of the figures that have a row."""
    printed = [figure for figure in figures if figure.lines]
    if not printed:
        return 0.0
    return sum(any(line in labels for line in _folded_lines(tuple(figure.labels))) for figure in printed) / len(printed)


def _statement(sought: SoughtFigures, labels: Labels) -> float:
    if sought.statements:
        return max(_statement_likeness(name, labels) for name in sought.statements)
    return IMPLIED * max((_statement_likeness(name, labels) for name in sought.implied), default=0.0)


def _statement_likeness(name: str, labels: Labels) -> float:
    """How much a passage looks like this statement, 0..1."""
    there = sum(line in labels for line in _folded_lines(tuple(statements()[name].lines)))
    return min(1.0, there / FULL_STATEMENT)


@cache
def _folded_lines(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(plain, lines))
