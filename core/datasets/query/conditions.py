"""Converts the conditions of a query to SQL; values are parameters, read by the column's type."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence

from core.datasets.query.buckets import COUNTED, bucket_of, bucket_sql, counted
from core.datasets.query.columns import Source
from core.datasets.query.model import Bucket, Condition, Filter, Scalar
from core.errors import fail

_SIGNS = frozenset(("=", "!=", "<", "<=", ">", ">="))
_NUMBER = re.compile(r"[^\d.\-]")
_TRUE, _FALSE = frozenset(("true", "yes", "1")), frozenset(("false", "no", "0"))


class Parameters:
    """The values of a statement, by name."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def add(self, value: object) -> str:
        """Returns the placeholder of a new parameter."""
        name = f"p{len(self.values)}"
        self.values[name] = value
        return f"${name}"


def conditions_sql(filters: Sequence[Filter], find: Callable[[str], Source], parameters: Parameters) -> str:
    """Returns the SQL under which all ``filters`` hold; *TRUE* if there are none.

    Raises:
        PalimpsestError: a column or value cannot be used ("validation").
    """
    parts = []
    for each in filters:
        if isinstance(each, Condition):
            parts.append(_sql(each, find, parameters))
        else:
            parts.append("(" + " OR ".join(_sql(one, find, parameters) for one in each.any_of) + ")")
    return " AND ".join(parts) or "TRUE"


def _sql(condition: Condition, find: Callable[[str], Source], parameters: Parameters) -> str:
    source = find(condition.column)
    if condition.op == "is empty":
        return f"({source.sql} IS NULL)"
    if condition.op == "is not empty":
        return f"({source.sql} IS NOT NULL)"
    if condition.other is not None:
        if condition.op not in _SIGNS:
            raise fail("validation", "datasets.condition", op=condition.op, column=source.column.name)
        return f"({source.sql} {condition.op} {find(condition.other).sql})"
    values = condition.value if isinstance(condition.value, list) else [condition.value or 0]
    if not isinstance(condition.value, list) and condition.value is not None:
        values = [condition.value]
    bucket = condition.bucket or _implied(source, values, condition.op)
    left = _left(source, bucket, condition.op)
    marks = [parameters.add(_read(value, source, bucket, condition.op)) for value in values]
    return _compared(condition.op, left, marks)


def _compared(op: str, left: str, marks: Sequence[str]) -> str:
    match op:
        case "in":
            return f"({left} IN ({', '.join(marks)}))"
        case "not in":
            return f"({left} IS NULL OR {left} NOT IN ({', '.join(marks)}))"
        case "between":
            return f"({left} BETWEEN {marks[0]} AND {marks[1]})"
        case "contains":
            return f"contains({left}, {marks[0]})"
        case "not contains":
            return f"({left} IS NULL OR NOT contains({left}, {marks[0]}))"
        case "starts with":
            return f"starts_with({left}, {marks[0]})"
        case "ends with":
            return f"suffix({left}, {marks[0]})"
        case "!=":
            return f"({left} IS DISTINCT FROM {marks[0]})"
    return f"({left} {op} {marks[0]})"


def _is_word(source: Source) -> bool:
    return source.column.type in ("category", "code", "text")


def _implied(source: Source, values: Sequence[Scalar], op: str) -> Bucket | None:
    """A date given as a year, quarter or month means that part of the date."""
    if not source.column.is_dated:
        return None
    found = {bucket_of(value) for value in values}
    if found == {"day"} and (source.column.type == "date" or op in ("<", ">=")):
        return None
    if len(found) == 1:
        return found.pop()
    return "day" if None not in found else None


def _left(source: Source, bucket: Bucket | None, op: str) -> str:
    if bucket is not None:
        if not source.column.is_dated:
            raise fail("validation", "datasets.no_date", column=source.column.name)
        return bucket_sql(bucket, source.sql)
    if _is_word(source):
        return f"lower(trim({source.sql}))"
    if op in ("contains", "not contains", "starts with", "ends with"):
        return f"lower(CAST({source.sql} AS VARCHAR))"
    return source.sql


def _read(value: Scalar, source: Source, bucket: Bucket | None, op: str) -> object:
    """Returns ``value`` as the type of the column, or of the part of its date.

    Raises:
        PalimpsestError: it cannot be read as that type ("validation").
    """
    column = source.column
    text = str(value).strip()
    try:
        if bucket is not None:
            return counted(bucket, text) if bucket in COUNTED else text
        if _is_word(source) or op in ("contains", "not contains", "starts with", "ends with"):
            return text.lower()
        if column.type == "boolean":
            return _boolean(value)
        if column.is_dated:
            return _moment(value, column.type == "datetime")
        return _number(value, column.type == "percent")
    except ValueError as error:
        raise fail("validation", "datasets.value", text=text[:200], column=column.name, type=column.type) from error


def _boolean(value: Scalar) -> bool:
    text = str(value).strip().lower()
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise ValueError(text)


def _moment(value: Scalar, with_time: bool) -> object:
    moment = value if isinstance(value, datetime.datetime) else datetime.datetime.fromisoformat(str(value).strip())
    return moment if with_time else moment.date()


def _number(value: Scalar, is_percent: bool) -> float:
    """A number; "10 %" is 0.1 in a column of percentages."""
    if isinstance(value, bool):
        raise ValueError("a truth value is no number")
    if isinstance(value, int | float):
        return float(value)
    text = str(value)
    number = float(_NUMBER.sub("", text))
    return number / 100 if is_percent and "%" in text else number
