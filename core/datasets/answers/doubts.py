"""Finds results that rarely answer their question, although the query accounts for all its words."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.fetched.origin import is_doubtful_origin
from core.datasets.query.model import Condition, Filter
from core.datasets.query.result import QueryResult

_COUNTS = ("count", "distinct")


def is_doubtful(result: QueryResult) -> bool:
    """Returns whether its rows were not all fetched or may be the wrong ones, a result is empty, a condition excludes
    nothing, several share the first place, the difference of two things is negative, or a count finds one row only:
    then a cell of that row may be asked for."""
    query, frame = result.query, result.frame
    if any(map(is_doubtful_origin, result.datasets)):
        return True
    if not len(frame) or not result.rows_used or bool(frame.isna().all(axis=None)):
        return True
    is_limited = bool(query.where) and not query.order and not query.step
    if is_limited and result.rows_used == result.rows_total:
        return True
    if query.extreme and len(frame) > 1:
        return True
    compared = [each.where for each in query.measures if each.where]
    if query.calculations and len(compared) == 2 and not query.group and not any(map(_has_time, compared)):
        return bool((frame.iloc[:, -1] < 0).any())
    counts = bool(query.measures) and all(each.function in _COUNTS for each in query.measures)
    plain = counts and not query.group and not query.calculations
    return plain and is_limited and float(frame.iloc[0, 0]) <= 1


def _has_time(conditions: Sequence[Filter]) -> bool:
    return any(isinstance(each, Condition) and each.bucket is not None for each in conditions)
