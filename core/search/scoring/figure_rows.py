"""Scores how many of the requested figures a passage prints, by its row labels: 0..1.

Two things count: its row labels are printed names of the requested figures, and it is the financial statement that
mainly reports them. A statement is recognised by its rows, since its heading may be lost or shared with other tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from core.language.fields import Figure, SoughtFigures, statements
from core.search.scoring.row_labels import Labels, plain

ROWS = 0.4
STATEMENT = 0.6
IMPLIED = 0.6
"""Weight of a match with the statement that mainly reports the figures, if the question does not name the statement."""
FULL_STATEMENT = 6
"""Number of matching rows that identify a statement for certain: a table with only a few is a summary."""


def figures_share(sought: SoughtFigures, labels: Labels) -> float:
    """Returns how well a passage prints the requested figures; 0 if the question asks for no figure, or the passage has
    none of the rows."""
    if not labels or not (sought.figures or sought.statements):
        return 0.0
    return ROWS * _row_share(list(sought.figures.values()), labels) + STATEMENT * _statement(sought, labels)


def _row_share(figures: Sequence[Figure], labels: Labels) -> float:
    """Returns the share of the requested figures for which the passage has a row."""
    printed = [figure for figure in figures if figure.lines]
    if not printed:
        return 0.0
    there = sum(not labels.isdisjoint(_folded_lines(tuple(figure.labels))) for figure in printed)
    return there / len(printed)


def _statement(sought: SoughtFigures, labels: Labels) -> float:
    if sought.statements:
        return max(_statement_likeness(name, labels) for name in sought.statements)
    return IMPLIED * max((_statement_likeness(name, labels) for name in sought.implied), default=0.0)


def _statement_likeness(name: str, labels: Labels) -> float:
    """Returns how similar a passage's rows are to those of the statement ``name``, 0..1."""
    there = sum(line in labels for line in _folded_lines(tuple(statements()[name].lines)))
    return min(1.0, there / FULL_STATEMENT)


@cache
def _folded_lines(lines: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(plain, lines))
