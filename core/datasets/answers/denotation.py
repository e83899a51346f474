"""Finds the values of a result that answer the question: those of a listed column, of groups that were ranked, or of
the last value that was calculated."""

from __future__ import annotations

from core.datasets.answers.values import cells
from core.datasets.query.result import QueryResult
from core.records.data_answer import DataCell

MOST = 500
"""Maximum number of values."""


def denotation(result: QueryResult, answer: str = "") -> list[DataCell]:
    """Returns the values that answer; none if the result has no rows, or is a table of groups with their values.
    ``answer`` names the column that answers, if it is not the first of a list or the last measure."""
    rows = cells(result.frame, MOST)
    if not rows:
        return []
    roles = [column.role for column in result.columns]
    groups = [number for number, role in enumerate(roles) if role == "group"]
    measures = [number for number, role in enumerate(roles) if role == "measure"]
    ranked = bool(result.query.order) and (result.query.extreme or result.query.limit is not None)
    named = [number for number, column in enumerate(result.columns) if answer and column.name == answer]
    if named:
        place = named[0]
    elif groups and ranked and not result.query.changes:
        place = groups[0]
    elif groups and len(rows) > 1:
        return []
    elif measures:
        place = measures[-1]
    else:
        place = next((number for number, role in enumerate(roles) if role == "column"), 0)
    return [part for row in rows for part in _parts(row[place])]


def _parts(cell: DataCell) -> list[DataCell]:
    """A cell of several lines holds several values."""
    if isinstance(cell, str):
        return [line.strip() for line in cell.splitlines() if line.strip()]
    return [] if cell is None else [cell]
