"""Checks the first line and the table of computed answers."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pandas

from core.datasets.answers.first_line import line_of, table_of
from core.datasets.answers.values import cells
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult, ResultColumn

GROUP = ResultColumn("Region", "category", "group")
AMOUNT = ResultColumn("sum of Amount", "money", "measure", "EUR")


def result(columns: list[ResultColumn], rows: list[tuple[object, ...]]) -> QueryResult:
    frame = pandas.DataFrame(rows, columns=[column.name for column in columns])
    return QueryResult(DataQuery(dataset="d"), (), tuple(columns), frame, len(rows), 50)


def test_one_value_and_several_groups() -> None:
    assert line_of(result([AMOUNT], [(1202852.56,)]), "Sum of Amount", "en") == "Sum of Amount: €1,202,852.56"
    groups = result([GROUP, AMOUNT], [("North", 5.0), ("South", 7.5), (None, 1.0), ("East", 2.0)])
    assert line_of(groups, "Sum by Region", "en") == "Sum by Region: 4 values, highest South €7.50, lowest (empty) €1"
    assert "| South | €7.50 |" in table_of(groups, "en")


def test_the_largest_value_of_a_calculation_is_that_of_its_results() -> None:
    query = DataQuery.model_validate(
        {
            "dataset": "d",
            "measures": [{"function": "sum", "column": "Amount"}],
            "calculations": [{"name": "half", "expression": "[sum of Amount] / 2"}],
        }
    )
    half = ResultColumn("half", "money", "measure", "EUR")
    rows: list[tuple[object, ...]] = [("N", 9.0, 1.0), ("S", 2.0, 8.0), ("E", 3.0, 3.0), ("W", 4.0, 4.0)]
    found = replace(result([GROUP, AMOUNT, half], rows), query=query)
    assert line_of(found, "Half", "en") == "Half: 4 values, highest S €8, lowest N €1"


def test_different_currencies_get_a_value_each() -> None:
    unit = ResultColumn("Amount (unit)", "category", "unit")
    mixed = result([unit, ResultColumn("sum", "money", "measure")], [("EUR", 8.0), ("USD", 7.0)])
    assert line_of(mixed, "Sum", "en").endswith(": €8; $7")


def test_nothing_found_and_parts_of_dates() -> None:
    assert line_of(result([AMOUNT], []), "Sum", "en") == "Sum: none of 50 rows"
    days = result([ResultColumn("Day", "category", "group", bucket="weekday"), AMOUNT], [(1, 5.0), (6, 2.0)])
    assert line_of(days, "סכום", "he") == "סכום: יום שני €5; יום שבת €2"
    frame = pandas.DataFrame({"a": [datetime.date(2024, 5, 1), None], "b": [1.5, float("nan")]})
    assert cells(frame, 9) == [["2024-05-01", 1.5], [None, None]]
