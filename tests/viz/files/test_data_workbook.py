"""Recalculates exported workbooks in LibreOffice: their formulas give the values that the query gave."""

from __future__ import annotations

import csv
import datetime
import subprocess
from pathlib import Path

import duckdb
import openpyxl
import pandas
import pytest

from core.datasets.query.model import DataQuery
from core.datasets.query.run import QueryRunner
from core.datasets.records import Column, ColumnType, Dataset
from tests.equipment import find_office
from viz.files.data_workbook import data_workbook

KINDS: list[ColumnType] = ["code", "category", "date", "money", "boolean", "number"]
PAID = {"column": "Paid", "value": True}
QUERIES: list[dict[str, object]] = [
    {
        "group": [{"column": "Region"}],
        "where": [{"column": "Amount", "op": ">=", "value": 50}],
        "measures": [
            {"function": "sum", "column": "Amount", "name": "sum"},
            {"function": "mean", "column": "Amount", "name": "mean"},
            {"function": "count", "name": "rows", "where": [PAID]},
            {"function": "share", "column": "Amount", "name": "share", "where": [PAID]},
        ],
    },
    {
        "group": [{"column": "Day", "bucket": "quarter"}],
        "measures": [{"function": "sum", "column": "Amount", "name": "sum"}, {"function": "count", "name": "rows"}],
    },
    {
        "group": [{"column": "Customer"}],
        "where": [
            {"column": "Day", "op": "between", "value": ["2023-02", "2024-03"]},
            {"column": "Region", "op": "in", "value": ["North", "South*"]},
        ],
        "measures": [{"function": "sum", "column": "Amount", "name": "sum"}],
    },
    {
        "group": [{"column": "Region"}],
        "measures": [
            {"function": "sum", "column": "Amount", "name": "paid", "where": [PAID]},
            {"function": "sum", "column": "Pieces", "name": "pieces"},
        ],
        "calculations": [{"name": "price", "expression": "([paid] - 1) / [pieces]"}],
    },
]


def orders() -> pandas.DataFrame:
    """Orders whose codes look like numbers, one of whose regions has a wildcard, and with blank cells."""
    regions = ["North", "South*", "=East", None]
    first = datetime.date(2023, 1, 15)
    return pandas.DataFrame(
        [
            (
                f"{n % 7:04d}",
                regions[n % 4],
                first + datetime.timedelta(17 * n),
                None if n % 9 == 8 else n * 10.5,
                n % 3 > 0,
                pandas.NA if n % 5 == 4 else n,
            )
            for n in range(40)
        ],
        columns=["Customer", "Region", "Day", "Amount", "Paid", "Pieces"],
    ).astype({"Pieces": "Int64"})


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Dataset]:
    folder = tmp_path_factory.mktemp("workbook")
    connection = duckdb.connect()
    connection.register("frame", orders())
    columns = ", ".join(f'"{name}" AS c{number}' for number, name in enumerate(orders().columns))
    target = folder / "orders"
    connection.execute(
        f"COPY (SELECT {columns}, row_number() OVER () + 1 AS _row FROM frame) TO '{target}' (FORMAT parquet)"
    )
    made = (Column(key=f"c{n}", name=name, type=KINDS[n]) for n, name in enumerate(orders().columns))
    return folder, Dataset(id="orders", document_id="d", name="orders", digest="orders", rows=40, columns=tuple(made))


def test_formulas_recalculated_by_an_office_program_give_the_same_values(
    dataset: tuple[Path, Dataset], tmp_path: Path
) -> None:
    folder, orders_set = dataset
    runner = QueryRunner(folder)
    results = [
        runner.run(DataQuery.model_validate({"dataset": "orders", **each}), {"orders": orders_set}) for each in QUERIES
    ]
    for number, result in enumerate(results):
        path = tmp_path / f"{number}.xlsx"
        path.write_bytes(data_workbook(result, orders(), "orders", "en"))
        book = openpyxl.load_workbook(path)
        # Other values are stored than the formulas give, so that only a recalculation can be right.
        for row in book["Result"].iter_rows(min_row=6):
            measures = [cell for cell, column in zip(row, result.columns, strict=False) if column.role == "measure"]
            assert all(str(cell.value).startswith("=") for cell in measures)
        book.save(path)
    office = find_office()
    assert office is not None, "run `make equipment`"
    command = [office, "--headless", f"-env:UserInstallation=file://{tmp_path}/office", "--convert-to"]
    form = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,1"
    files = [str(tmp_path / f"{number}.xlsx") for number in range(len(results))]
    subprocess.run([*command, form, "--outdir", str(tmp_path), *files], check=True, capture_output=True, timeout=240)
    for number, result in enumerate(results):
        [table] = tmp_path.glob(f"{number}*.csv")
        rows = list(csv.reader(table.open(encoding="utf-8")))[5:]
        assert len(rows) == len(result.frame)
        for shown, expected in zip(rows, result.frame.itertuples(index=False), strict=True):
            for cell, value, column in zip(shown, expected, result.columns, strict=True):
                if column.role == "measure":
                    number_shown = float(cell.rstrip("%") or 0) / (100 if cell.endswith("%") else 1)
                    assert number_shown == pytest.approx(0 if pandas.isna(value) else value)
