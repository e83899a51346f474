"""Finds results that rarely answer their question, although the query accounts for all its words."""

from __future__ import annotations

from core.datasets.query.result import QueryResult

_COUNTS = ("count", "distinct")


def is_doubtful(result: QueryResult) -> bool:
    """Returns whether a result is empty, a condition excludes nothing, several share the first place, or a count finds
    one row only: then a cell of that row may be asked for."""
    query, frame = result.query, result.frame
    if not len(frame) or not result.rows_used or bool(frame.isna().all(axis=None)):
        return True
    if query.step:
        return result.rows_used > 1
    is_limited = bool(query.where) and not query.order
    if is_limited and result.rows_used == result.rows_total:
        return True
    if query.extreme and len(frame) > 1:
        return True
    counts = bool(query.measures) and all(each.function in _COUNTS for each in query.measures)
    plain = counts and not query.group and not query.calculations
    return plain and is_limited and float(frame.iloc[0, 0]) <= 1
