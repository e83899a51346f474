"""Checks the first line and the table of computed answers."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pandas

from core.datasets.answers.first_line import line_of, table_of
from core.datasets.answers.headline import headline
from core.datasets.answers.how import described
from core.datasets.answers.values import cells, rows_shown
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
    assert (
        line_of(groups, "Sum by Region", "en") == "Sum by Region: 4 values, highest South €7.50, lowest (empty) €1.00"
    )
    assert "| South | €7.50 |" in table_of(groups, "en")


def test_a_calculation_gives_its_result_before_its_parts() -> None:
    years = [{"column": "Day", "bucket": "year", "value": year} for year in ("2023", "2024")]
    measures = [{"function": "sum", "column": "Amount", "name": year["value"], "where": [year]} for year in years]
    growth = {"name": "growth", "expression": "([2024] - [2023]) / [2023]", "unit": "%"}
    query = DataQuery.model_validate({"dataset": "d", "measures": measures, "calculations": [growth]})
    columns = [ResultColumn(name, "number", "measure") for name in ("2023", "2024")]
    columns.append(ResultColumn("growth", "percent", "measure"))
    made = replace(result(columns, [(8.0, 10.0, 0.25)]), query=query)
    assert headline(query, [], "en") == "Amount"
    assert line_of(made, "Amount", "en") == "Amount: Growth 25 % (2023 8; 2024 10)"
    how = "".join(part.text for part in described(query, [], "en"))
    assert how.startswith("(2024 − 2023) / 2023 (2023: Sum of Amount where year of Day is 2023; 2024: ")


def test_a_headline_leaves_out_what_the_rest_implies() -> None:
    query = DataQuery.model_validate(
        {
            "dataset": "d",
            "derive": [{"name": "On hand × Cost", "expression": "[On hand] * [Cost]"}],
            "where": [
                {"column": "Status", "value": "Open"},
                {"column": "Status", "op": "!=", "value": "Closed"},
                {"column": "Store", "op": "is not empty"},
            ],
            "group": [{"column": "Store"}],
            "measures": [{"function": "sum", "column": "On hand × Cost", "name": "value"}],
            "order": [{"by": "value", "descending": True}],
            "limit": 5,
        }
    )
    assert headline(query, [], "en") == "On hand × Cost by Store, Status is Open, the 5 largest"
    assert " = " not in "".join(part.text for part in described(query, [], "en"))


def test_the_numbers_of_a_measure_have_the_same_decimals() -> None:
    mean = ResultColumn("mean", "number", "measure", "min")
    made = result([GROUP, mean], [("N", 20.72222), ("S", 33.5), ("E", 15.0)])
    assert [row[1] for row in rows_shown(made, "en", 3)] == ["20.72 min", "33.50 min", "15.00 min"]
    listed = result([ResultColumn("Weight", "number", "column")], [(0.125,), (3.0,)])
    assert rows_shown(listed, "en", 2) == [["0.125"], ["3"]]


def test_a_unit_belongs_to_its_column_only() -> None:
    columns = [
        ResultColumn("Amount", "money", "column"),
        ResultColumn("Hours", "number", "column"),
        ResultColumn("Amount (unit)", "category", "unit"),
    ]
    assert rows_shown(result(columns, [(5.0, 4.0, "USD")]), "en", 1)[0][:2] == ["$5", "4"]


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


def test_a_calculation_is_described_by_what_its_names_stand_for() -> None:
    query = DataQuery.model_validate(
        {
            "dataset": "d",
            "measures": [
                {"function": "sum", "column": "Amount", "name": "sales"},
                {"function": "distinct", "column": "Order", "name": "orders"},
            ],
            "calculations": [{"name": "order value", "expression": "[Sales] / [orders]"}],
        }
    )
    how = "".join(part.text for part in described(query, [], "en"))
    assert how == "Sum of Amount / Number of different Order"
