"""Scores how many of the requested figures a passage prints, by its row labels: 0..1.

Two things count: its rows have the printed names of the requested figures, and it is the statement that mainly reports
them. A statement is identified by its own rows, since headings get lost or are shared by many tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.language.fields import Figure, SoughtFigures, statements
from core.search.scoring.row_labels import Labels, plain

ROWS = 0.4
STATEMENT = 0.6
IMPLIED = 0.6
"""Weight of a statement that the question does not name, but that mainly reports its figures."""
FULL_STATEMENT = 6
"""Number of matching rows that identify a statement for certain: a table with only a few is a summary."""


def figures_share(sought: SoughtFigures, labels: Labels) -> float:
    """Returns 0 if the question asks for no figure, or the passage has none of its rows."""
    if not labels or not (sought.figures or sought.statements):
        return 0.0
    return ROWS * _row_share(list(sought.figures.values()), labels) + STATEMENT * _statement(sought, labels)


def _row_share(figures: Sequence[Figure], labels: Labels) -> float:
    """Returns the share of the figures that have a row."""
    printed = [figure for figure in figures if figure.lines]
    if not printed:
        return 0.0
    return sum(any(line in labels for line in _folded_lines(tuple(figure.labels))) for figure in printed) / len(printed)


def _statement(sought: SoughtFigures, labels: Labels) -> float:
    if sought.statements:
        return max(_statement_likeness(name, labels) for name in sought.statements)
    return IMPLIED * max((_statement_likeness(name, labels) for name in sought.implied), default=0.0)


def _statement_likeness(name: str, labels: Labels) -> float:
    """Returns how similar a passage is to this statement, 0..1."""
    there = sum(line in labels for line in _folded_lines(tuple(statements()[name].lines)))
    return min(1.0, there / FULL_STATEMENT)


@cache
def _folded_lines(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(plain, lines))
