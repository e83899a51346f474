"""Steps from a row to the one after it, and sorts rows in the order of their sheet."""

from __future__ import annotations

from pathlib import Path

import duckdb

from core.datasets.query.model import DataQuery
from core.datasets.query.run import QueryRunner
from core.datasets.records import Column, Dataset


def _stations(folder: Path) -> Dataset:
    # Row 4 of the sheet is a total, so it is no row of the dataset.
    values = "('Elm', 2), ('Oak', 3), ('Fir', 5), ('Ash', 6)"
    duckdb.connect().execute(
        f"COPY (SELECT * FROM (VALUES {values}) AS rows(c0, _row)) TO '{folder / 'stations'}' (FORMAT parquet)"
    )
    columns = (Column(key="c0", name="Station", type="text", distinct=4),)
    return Dataset(id="line", document_id="d", name="Line", digest="stations", rows=4, columns=columns)


def _names(folder: Path, query: DataQuery) -> list[str]:
    runner = QueryRunner(folder)
    try:
        return list(runner.run(query, {"line": _stations(folder)}).frame["Station"])
    finally:
        runner.close()


def test_a_step_shows_the_row_after_or_before_across_left_out_rows(tmp_path: Path) -> None:
    where = [{"column": "Station", "value": "Oak"}]
    query = DataQuery.model_validate({"dataset": "line", "where": where, "columns": ["Station"]})
    assert _names(tmp_path, query.model_copy(update={"step": 1})) == ["Fir"]
    assert _names(tmp_path, query.model_copy(update={"step": -1})) == ["Elm"]


def test_rows_are_sorted_in_the_order_of_the_sheet(tmp_path: Path) -> None:
    order = [{"by": "_row", "descending": True}]
    query = DataQuery.model_validate({"dataset": "line", "columns": ["Station"], "order": order, "limit": 1})
    assert _names(tmp_path, query) == ["Ash"]
