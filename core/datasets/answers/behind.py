"""Makes the query for the rows behind one row of a result, such as a point of a chart."""

from __future__ import annotations

from core.datasets.answers.values import cells
from core.datasets.query.model import Condition, DataQuery, Filter
from core.datasets.query.result import QueryResult
from core.records.data_answer import DataCell


def behind_row(result: QueryResult, number: int) -> DataQuery:
    """Returns the query of ``result``, limited to the group of its row ``number`` (from 0). A result that lists rows is
    limited to that row; without such a row, the query stays as it is."""
    query = result.query
    rows = cells(result.frame, number + 1)
    if number >= len(rows):
        return query
    if not query.measures:
        return query.model_copy(update={"limit": 1, "offset": query.offset + number})
    found = [value for value, column in zip(rows[number], result.columns, strict=True) if column.role == "group"]
    where: list[Filter] = [*query.where]
    for group, value in zip(query.group, found, strict=False):
        where.append(_equals(group.column, value).model_copy(update={"bucket": group.bucket}))
    where += _units(result, rows[number])
    if len(query.measures) == 1 and query.measures[0].function != "share":
        where += query.measures[0].where
    return query.model_copy(update={"where": where})


def _equals(column: str, value: DataCell) -> Condition:
    return Condition(column=column, op="is empty") if value is None else Condition(column=column, value=value)


def _units(result: QueryResult, row: list[DataCell]) -> list[Condition]:
    """A condition on the column of units, if the dataset has one of its own."""
    keys = {column.unit_key for column in result.datasets[0].columns if column.unit_key}
    units = [column for column in result.datasets[0].columns if column.key in keys]
    places = [number for number, column in enumerate(result.columns) if column.role == "unit"]
    return [_equals(units[0].name, row[places[0]])] if len(units) == 1 and len(places) == 1 else []
