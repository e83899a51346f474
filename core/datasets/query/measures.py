"""Converts the measures of a query to SQL, each with the type and unit of its value."""

from __future__ import annotations

from dataclasses import dataclass

from core.datasets.query.columns import Columns, Source
from core.datasets.query.conditions import Parameters, conditions_sql
from core.datasets.query.model import Measure
from core.datasets.records import ColumnType
from core.errors import fail


@dataclass(frozen=True)
class Measured:
    """A measure in SQL. ``unit_sql`` is the SQL of a unit that differs from row to row: one result is needed for each
    unit. ``column`` is the heading of the column that it is measured from."""

    sql: str
    type: ColumnType
    unit: str = ""
    unit_sql: str = ""
    column: str = ""


def measured(measure: Measure, columns: Columns, parameters: Parameters) -> Measured:
    """Returns ``measure`` in SQL.

    Raises:
        PalimpsestError: a column is missing, or its type cannot be used ("validation").
    """
    where = conditions_sql(measure.where, columns.find, parameters) if measure.where else ""
    limited = f" FILTER ({where})" if where else ""
    if measure.column is None:
        return _of_rows(measure, where, limited)
    source = columns.find(measure.column)
    column, sql = source.column, source.sql
    match measure.function:
        case "count":
            return Measured(f"count({sql}){limited}", "number")
        case "distinct":
            folded = sql if column.is_numeric or column.is_dated or column.type == "boolean" else f"lower(trim({sql}))"
            return Measured(f"count(DISTINCT {folded}){limited}", "number")
        case "min" | "max":
            unit_sql = source.unit_sql if column.is_numeric else ""
            unit = "" if unit_sql and not source.has_given_unit else column.unit
            return Measured(f"{measure.function}({sql}){limited}", column.type, unit, unit_sql, column.name)
    _need_number(source, measure.function)
    if measure.function == "correlation":
        if measure.other is None:
            raise fail("validation", "datasets.two_columns")
        second = columns.find(measure.other)
        _need_number(second, measure.function)
        return Measured(f"corr({sql}, {second.sql}){limited}", "number")
    unit = "" if source.unit_sql and not source.has_given_unit else column.unit
    if measure.function == "share":
        whole = f"nullif(sum({sql}), 0)"
        return Measured(f"coalesce(sum({sql}){limited}, 0) / {whole}", "percent", "", source.unit_sql, column.name)
    sql = {
        "sum": f"sum({sql})",
        "mean": f"avg({sql})",
        "median": f"median({sql})",
        "stddev": f"stddev_samp({sql})",
        "percentile": f"quantile_cont({sql}, {measure.percent / 100})",
    }[measure.function]
    return Measured(sql + limited, column.type, unit, source.unit_sql, column.name)


def name_of(measure: Measure, columns: Columns) -> str:
    """Returns the name of a measure in the result: its own, or one by rule, such as *sum of Amount*."""
    if measure.name:
        return measure.name
    if measure.column is None:
        return "share" if measure.function == "share" else "count"
    names = " and ".join(columns.find(name).column.name for name in (measure.column, measure.other) if name)
    function = f"{measure.percent:g}th percentile" if measure.function == "percentile" else measure.function
    return f"{function} of {names}"


def _of_rows(measure: Measure, where: str, limited: str) -> Measured:
    if measure.function == "count":
        return Measured(f"count(*){limited}", "number")
    if measure.function == "share" and where:
        return Measured(f"(count(*){limited})::DOUBLE / nullif(count(*), 0)", "percent")
    raise fail("validation", "datasets.measure_column", function=measure.function)


def _need_number(source: Source, function: str) -> None:
    if not source.column.is_numeric:
        raise fail(
            "validation", "datasets.no_number", column=source.column.name, type=source.column.type, function=function
        )
