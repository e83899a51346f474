"""Converts a query over one dataset to spreadsheet formulas: SUMIFS, COUNTIFS, AVERAGEIFS, or SUMPRODUCT."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.datasets.query.buckets import bucket_of
from core.datasets.query.model import AnyOf, Bucket, Condition, DataQuery, Filter, Group, Measure, Scalar
from core.datasets.records import Column
from core.records.data_answer import DataCell

_WILD = re.compile(r"[*?~]")
_SIGNS = frozenset(("=", "<", "<=", ">", ">="))


class NotExpressibleError(Exception):
    """A part of the query has no formula; its values are written without one."""


@dataclass(frozen=True)
class DataRange:
    """A column on the sheet with the data: its range, such as ``Data!$C$2:$C$2001``."""

    column: Column
    cells: str


@dataclass(frozen=True)
class _Criterion:
    """A condition in two forms: as criteria of SUMIFS (range and text), and as an array for SUMPRODUCT. ``criteria`` is
    ``None`` if only the array is exact."""

    criteria: tuple[tuple[str, str], ...] | None
    array: str


def measure_formula(
    query: DataQuery, measure: Measure, groups: Sequence[tuple[Group, DataCell]], ranges: Mapping[str, DataRange]
) -> str:
    """Returns the formula of ``measure`` for the row of the result with these values of its ``groups``. ``ranges`` are
    the columns of the data by heading (lower case).

    Raises:
        NotExpressibleError: there is no exact formula.
    """
    if query.joins or query.derive or query.convert or query.repeated == "once":
        raise NotExpressibleError
    base = [_condition(each, ranges) for each in query.where]
    base += [_group(group, value, ranges) for group, value in groups]
    limited = [*base, *(_condition(each, ranges) for each in measure.where)]
    column = _range(measure.column, ranges) if measure.column else None
    if measure.function == "share":
        over = _total(column, base) if column else _count(base, ranges)
        part = _total(column, limited) if column else _count(limited, ranges)
        return f'=IF({over}=0,"",{part}/{over})'
    if measure.function == "count":
        filled = [_Criterion(((column.cells, '"<>"'),), f'({column.cells}<>"")')] if column else []
        return "=" + _count([*limited, *filled], ranges)
    if column is None or not column.column.is_numeric:
        raise NotExpressibleError
    if measure.function == "sum":
        return "=" + _total(column, limited)
    if measure.function == "mean":
        filled = [*limited, _Criterion(((column.cells, '"<>"'),), f'({column.cells}<>"")')]
        return f'=IFERROR({_total(column, limited)}/{_count(filled, ranges)},"")'
    if measure.function in ("min", "max"):
        return "=" + _ifs(f"{measure.function.upper()}IFS", column, limited)
    raise NotExpressibleError


def _total(column: DataRange, conditions: Sequence[_Criterion]) -> str:
    if not conditions:
        return f"SUM({column.cells})"
    if all(each.criteria is not None for each in conditions):
        return _ifs("SUMIFS", column, conditions)
    arrays = ",".join(f"--{each.array}" for each in conditions)
    return f"SUMPRODUCT({arrays},{column.cells})"


def _count(conditions: Sequence[_Criterion], ranges: Mapping[str, DataRange]) -> str:
    if not conditions:
        return f"ROWS({next(iter(ranges.values())).cells})"
    if all(each.criteria is not None for each in conditions):
        return f"COUNTIFS({_criteria(conditions)})"
    return f"SUMPRODUCT({','.join(f'--{each.array}' for each in conditions)})"


def _ifs(name: str, column: DataRange, conditions: Sequence[_Criterion]) -> str:
    if not conditions or any(each.criteria is None for each in conditions):
        raise NotExpressibleError
    return f"{name}({column.cells},{_criteria(conditions)})"


def _criteria(conditions: Sequence[_Criterion]) -> str:
    pairs = [pair for each in conditions for pair in each.criteria or ()]
    return ",".join(f"{cells},{text}" for cells, text in pairs)


def _range(name: str, ranges: Mapping[str, DataRange]) -> DataRange:
    if (found := ranges.get(name.strip().casefold())) is None:
        raise NotExpressibleError
    return found


def _group(group: Group, value: DataCell, ranges: Mapping[str, DataRange]) -> _Criterion:
    found = _range(group.column, ranges)
    if value is None:
        return _Criterion(None, f'({found.cells}="")')
    if group.bucket:
        return _of_bucket(found, group.bucket, "=", str(value), str(value))
    return _compared(found, "=", value)


def _condition(each: Filter, ranges: Mapping[str, DataRange]) -> _Criterion:
    if isinstance(each, AnyOf):
        arrays = "+".join(_condition(one, ranges).array for one in each.any_of)
        return _Criterion(None, f"({arrays}>0)")
    found = _range(each.column, ranges)
    if each.op == "is empty":
        return _Criterion(None, f'({found.cells}="")')
    if each.op == "is not empty":
        return _Criterion(((found.cells, '"<>"'),), f'({found.cells}<>"")')
    if each.other is not None:
        other = _range(each.other, ranges)
        filled = f'({found.cells}<>"")*({other.cells}<>"")'
        sign = "<>" if each.op == "!=" else each.op
        return _Criterion(None, f"({filled}*({found.cells}{sign}{other.cells}))")
    return _of_values(found, each, each.value if isinstance(each.value, list) else [each.value or ""])


def _of_values(found: DataRange, each: Condition, values: Sequence[Scalar]) -> _Criterion:
    bucket = each.bucket or (bucket_of(values[0]) if found.column.is_dated else None)
    if bucket is not None and bucket != "day":
        if each.op == "between":
            return _of_bucket(found, bucket, "between", str(values[0]), str(values[1]))
        return _of_bucket(found, bucket, each.op, str(values[0]), str(values[0]))
    if each.op == "in":
        arrays = "+".join(_compared(found, "=", value).array for value in values)
        return _Criterion(None, f"({arrays}>0)")
    if each.op == "between":
        least, most = _compared(found, ">=", values[0]), _compared(found, "<=", values[1])
        if least.criteria is None or most.criteria is None:
            raise NotExpressibleError
        return _Criterion((*least.criteria, *most.criteria), f"({least.array}*{most.array})")
    return _compared(found, each.op, values[0])


def _compared(found: DataRange, op: str, value: Scalar | DataCell) -> _Criterion:
    column, cells = found.column, found.cells
    if column.type == "boolean":
        truth = "TRUE" if str(value).lower() in ("true", "yes", "1") else "FALSE"
        return _Criterion(((cells, truth),), f"({cells}={truth})")
    if column.is_dated:
        day = datetime.date.fromisoformat(str(value)[:10])
        if column.type == "datetime" or op not in _SIGNS:
            raise NotExpressibleError
        moment = f"DATE({day.year},{day.month},{day.day})"
        return _Criterion(((cells, f'"{op}"&{moment}'),), _filled(cells, f"{cells}{op}{moment}"))
    if column.is_numeric:
        if op not in _SIGNS or isinstance(value, bool) or not isinstance(value, int | float):
            raise NotExpressibleError
        return _Criterion(((cells, f'"{op}{value!r}"'),), _filled(cells, f"{cells}{op}{value!r}"))
    return _of_text(found, op, str(value))


def _of_text(found: DataRange, op: str, value: str) -> _Criterion:
    """Criteria read a text such as "0100" as the number 100, so codes are compared as arrays."""
    cells, text = found.cells, value.replace('"', '""')
    escaped = _WILD.sub(lambda wild: f"~{wild.group()}", text)
    as_number = bool(re.fullmatch(r"[\d.,%\s+-]*", value))
    match op:
        case "=":
            exact = None if as_number or found.column.type == "code" else ((cells, f'"={escaped}"'),)
            return _Criterion(exact, f'({cells}="{text}")')
        case "!=":
            return _Criterion(None, f'({cells}<>"{text}")')
        case "contains":
            return _Criterion(((cells, f'"*{escaped}*"'),), f'ISNUMBER(SEARCH("{escaped}",{cells}))')
        case "starts with":
            return _Criterion(None, f'(LEFT({cells},{len(value)})="{text}")')
        case "ends with":
            return _Criterion(None, f'(RIGHT({cells},{len(value)})="{text}")')
    raise NotExpressibleError


def _filled(cells: str, comparison: str) -> str:
    return f'(({cells}<>"")*({comparison}))'


def _of_bucket(found: DataRange, bucket: Bucket, op: str, first: str, last: str) -> _Criterion:
    """A part of a date as its first day and the day after its last one."""
    begin, end = _days(bucket, first), _days(bucket, last)
    bounds = {
        "=": (begin[0], end[1]), "between": (begin[0], end[1]), ">=": (begin[0], None), ">": (begin[1], None),
        "<": (None, begin[0]), "<=": (None, begin[1]),
    }.get(op)  # fmt: skip
    if bounds is None:
        raise NotExpressibleError
    pairs, arrays = [], [f'({found.cells}<>"")']
    for sign, day in zip((">=", "<"), bounds, strict=True):
        if day is not None:
            moment = f"DATE({day.year},{day.month},{day.day})"
            pairs.append((found.cells, f'"{sign}"&{moment}'))
            arrays.append(f"({found.cells}{sign}{moment})")
    return _Criterion(tuple(pairs), f"({'*'.join(arrays)})")


def _days(bucket: Bucket, value: str) -> tuple[datetime.date, datetime.date]:
    """The first day of a part of a date, and the day after its last one."""
    year = int(value[:4])
    if bucket == "day":
        day = datetime.date.fromisoformat(value)
        return day, day + datetime.timedelta(days=1)
    if bucket == "week":
        monday = datetime.date.fromisocalendar(year, int(value[6:]), 1)
        return monday, monday + datetime.timedelta(days=7)
    months = {"year": 12, "half": 6, "quarter": 3, "month": 1}.get(bucket)
    if months is None:
        raise NotExpressibleError
    number = {"year": 0, "month": int(value[5:7] or 1) - 1 if bucket == "month" else 0}.get(bucket)
    first = number if number is not None else (int(value[-1]) - 1) * months
    after = first + months
    return datetime.date(year, first + 1, 1), datetime.date(year + after // 12, after % 12 + 1, 1)
