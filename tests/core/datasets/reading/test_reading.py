"""Reads small files made here, and checks which tables, columns, types and rows become datasets."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

from core.datasets.reading.column_plan import Sample, plan_of, table_of
from core.datasets.reading.number_text import number_of
from core.datasets.reading.reading import Correction, read_datasets
from core.datasets.records import Dataset
from core.settings import Settings

DOCUMENT = f"doc_{'0' * 32}"


def datasets_of(path: Path, corrections: dict[str, dict[str, Correction]] | None = None) -> list[Dataset]:
    return read_datasets(path, path.name, DOCUMENT, path.parent, Settings(home=path.parent), corrections)


def rows_of(folder: Path, dataset: Dataset) -> list[tuple[object, ...]]:
    return duckdb.sql(f"SELECT * FROM read_parquet('{folder / dataset.digest}') ORDER BY _row").fetchall()


def types_of(dataset: Dataset) -> dict[str, str]:
    return {column.name: column.type for column in dataset.columns}


def workbook(folder: Path, fill: Callable[[Worksheet], None], name: str = "book.xlsx") -> Path:
    book = openpyxl.Workbook()
    assert book.active
    fill(book.active)
    hidden = book.create_sheet("Old")
    hidden.append(["Part", "Stock"])
    hidden.append(["A", 1])
    hidden.sheet_state = "hidden"
    book.save(folder / name)
    return folder / name


def test_workbook_rows_keep_apart_title_totals_notes_and_hidden_parts(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        lines: list[Sequence[object]] = [
            ["Deliveries 2025, USD"], [], ["Depot", "Carrier", "Sent", "Weight", "Share", "Fee", "Late"], [],
            ["Oslo", "Ruud", datetime.date(2025, 3, 14), 1200.25, 0.125, "$ 1,250.50", "yes"],
            [None, "Dahl", "15.03.2025", 80, 0.5, "(30.00)", "no"],
            ["Turku", "Ruud", "2025-03-16", "n/a", 0, 99.5, "no"],
            ["Secret", "Ruud", "2025-03-17", 5, 0, 1, "no"],
            ["Vaasa", "Dahl", "17 March 2025", "1,000", 0.25, 7, "yes"],
            ["Total", None, None, 2280.25, None, 1327, None],
            [], ["Weights are net of pallets."],
        ]  # fmt: skip
        for line in lines:
            sheet.append(line)
        sheet.merge_cells("A5:A6")
        sheet.row_dimensions[8].hidden = True
        for row in range(5, 10):
            sheet.cell(row, 4).number_format = '0 "kg"'
            sheet.cell(row, 5).number_format = "0%"

    path = workbook(tmp_path, fill)
    [found] = datasets_of(path)
    assert types_of(found) == {
        "Depot": "text", "Carrier": "category", "Sent": "date", "Weight": "number", "Share": "percent",
        "Fee": "money", "Late": "boolean",
    }  # fmt: skip
    assert rows_of(tmp_path, found) == [
        (5, "Oslo", "Ruud", datetime.date(2025, 3, 14), 1200.25, 0.125, 1250.5, True),
        (6, "Oslo", "Dahl", datetime.date(2025, 3, 15), 80.0, 0.5, -30.0, False),
        (7, "Turku", "Ruud", datetime.date(2025, 3, 16), None, 0.0, 99.5, False),
        (9, "Vaasa", "Dahl", datetime.date(2025, 3, 17), 1000.0, 0.25, 7.0, True),
    ]
    assert (found.column("Weight").unit, found.column("Fee").unit) == ("kg", "USD")  # type: ignore[union-attr]
    assert [total.row for total in found.totals] == [10]
    assert found.titles == ("Deliveries 2025, USD",)
    assert found.notes == ("Weights are net of pallets.",)
    assert found.head_row == 3
    assert found.rows == 4


def test_csv_in_another_encoding_has_decimal_commas_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "buchungen.csv"
    lines = ["Konto;Kostenstelle;Partner;Betrag €;Menge"]
    lines += [
        f"{3000 + number};0{number % 4}00;Bäckerei {number};1.{number:03},50;{number + 1}.000" for number in range(40)
    ]
    path.write_bytes("\r\n".join([*lines, "Summe;;;60.800,00;"]).encode("cp1252"))
    [found] = datasets_of(path)
    assert list(types_of(found).values()) == ["code", "code", "text", "money", "number"]
    assert rows_of(tmp_path, found)[7] == (9, "3007", "0300", "Bäckerei 7", 1007.5, 8000)
    assert (found.rows, found.totals[0].row) == (40, 42)


def test_wide_table_is_also_offered_in_long_form(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        for line in (
            ["Water use by plant, 2023 (ML)"], [], [None, "Q1", None, None, "Q2"],
            ["Plant", "Jan", "Feb", "Mar", "Apr", "Total"], ["North", 1.5, 2, 3, 4, 10.5], ["South", 5, None, 7, 8, 20],
            ["Total", 6.5, 2, 10, 12, 30.5],
        ):  # fmt: skip
            sheet.append(line)
        sheet.merge_cells("B3:D3")

    wide, long = datasets_of(workbook(tmp_path, fill))
    assert (wide.rows, long.long_of) == (2, wide.id)
    assert [column.name for column in long.columns] == ["Plant", "Month", "Water use"]
    assert long.columns[2].unit == "ML"
    assert rows_of(tmp_path, long)[:2] == [
        (5, "North", datetime.date(2023, 1, 1), 1.5),
        (5, "North", datetime.date(2023, 2, 1), 2.0),
    ]
    assert long.rows == 8


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["0100", "0200", "1200"], "code", ["0100", "0200", "1200"]),
        (["12 kg", "500 g", "3 kg", "40 g"], "number", [12.0, 500.0, 3.0, 40.0]),
        (["€ 5", "$ 7", "€ 6.5", "$ 8"], "money", [5.0, 7.0, 6.5, 8.0]),
        (["03/04/2024", "13/04/2024", "05/04/2024"], "date", [datetime.date(2024, 4, day) for day in (3, 13, 5)]),
        (["03/04/2024", "04/13/2024"], "date", [datetime.date(2024, 3, 4), datetime.date(2024, 4, 13)]),
        (["$(29)", "$ 1,234.5", "$—"], "money", [-29.0, 1234.5, None]),
        (["1", "0", "1"], "number", [1, 0, 1]),
        (["12", "about 14", "x", "15"], "text", ["12", "about 14", "x", "15"]),
        (["10.5%", "3%", "-"], "percent", [0.105, 0.03, None]),
        (["Q1 2024", "Q2 2024", "Q3 2024"], "date", [datetime.date(2024, month, 1) for month in (1, 4, 7)]),
    ],
)  # fmt: skip
def test_type_of_a_column_follows_from_its_cells(
    tmp_path: Path, cells: list[str], kind: str, values: list[object]
) -> None:
    path = tmp_path / "cells.csv"
    path.write_text("Name;Given\n" + "".join(f"thing {place};{cell}\n" for place, cell in enumerate(cells)))
    [found] = datasets_of(path)
    column = found.columns[1]
    assert column.type == kind
    assert [row[2] for row in rows_of(tmp_path, found)] == values
    if column.unit_key:
        assert [row[3] for row in rows_of(tmp_path, found)] in (["kg", "g", "kg", "g"], ["EUR", "USD", "EUR", "USD"])


def test_currency_column_gives_the_units_of_amounts(tmp_path: Path) -> None:
    path = tmp_path / "invoices.csv"
    path.write_text(
        "Invoice no,Currency,Amount\n" + "".join(f"{900 + n},{'EUR' if n % 3 else 'GBP'},{n}.50\n" for n in range(12))
    )
    [found] = datasets_of(path)
    assert types_of(found) == {"Invoice no": "code", "Currency": "category", "Amount": "money"}
    assert found.columns[2].unit_key == "c1"


def test_correction_outlives_reading_again(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    path.write_text("Part,Size\nBolt,10\nNut,12\n")
    [found] = datasets_of(path)
    corrected = {found.id: {"c1": Correction(name="Thread", type="code")}}
    [again] = datasets_of(path, corrected)
    assert again.id == found.id
    assert (again.columns[1].name, again.columns[1].type, again.columns[1].corrected) == ("Thread", "code", True)
    assert rows_of(tmp_path, again) == [(2, "Bolt", "10"), (3, "Nut", "12")]


def test_records_of_json_and_tables_of_a_page_are_datasets(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    path.write_text(
        '{"orders": [{"id": 1, "at": "2024-01-05T10:30:00", "by": {"name": "Ann"}},'
        ' {"id": 2, "paid": true}, {"id": 3}]}'
    )
    [found] = datasets_of(path)
    assert rows_of(tmp_path, found)[0][1:] == ("1", datetime.datetime(2024, 1, 5, 10, 30), "Ann", None)
    page = tmp_path / "depots.html"
    page.write_text(
        "<h1>Depots</h1><table><tr><th>Depot<th>Staff</tr><tr><td>Oslo<td>1,200</tr><tr><td>Rome<td>80</tr>"
        "<tr><td>Total<td>1,280</tr></table>"
    )
    [found] = datasets_of(page)
    assert (found.rows, found.totals[0].cells) == (2, ("Total", "1,280"))


def test_other_workbooks_have_exact_values(tmp_path: Path) -> None:
    from odfdo import Cell, Document, Row, Table

    book = Document("spreadsheet")
    book.body.clear()
    table = Table("Stock")
    for line in (["Part", "Weight"], ["Bolt", 1.23456], ["Nut", 2.5]):
        row = Row()
        for value in line:
            row.append_cell(Cell(value))
        table.append_row(row)
    book.body.append(table)
    path = tmp_path / "stock.ods"
    book.save(str(path))
    [found] = datasets_of(path)
    assert rows_of(tmp_path, found) == [(2, "Bolt", 1.23456), (3, "Nut", 2.5)]


def lines(*rows: Sequence[object]) -> Callable[[Worksheet], None]:
    def fill(sheet: Worksheet) -> None:
        for row in rows:
            sheet.append(row)

    return fill


def test_subtotals_are_kept_apart_and_labels_hold_for_the_rows_below(tmp_path: Path) -> None:
    fill = lines(
        ["Region", "Rep", "Deals"], ["North", "Ann", 3], [None, "Bob", 2], ["Subtotal North", None, 5],
        ["South", "Cy", 4], [None, "Di", 1], ["South total", None, 5], ["Grand total", None, 10],
    )  # fmt: skip
    [found] = datasets_of(workbook(tmp_path, fill))
    assert [row[1:] for row in rows_of(tmp_path, found)] == [
        ("North", "Ann", 3), ("North", "Bob", 2), ("South", "Cy", 4), ("South", "Di", 1),
    ]  # fmt: skip
    assert [total.row for total in found.totals] == [4, 7, 8]


def test_rows_that_only_name_a_group_become_a_column(tmp_path: Path) -> None:
    fill = lines(
        ["Project", "Owner", "Budget"], ["Phase 1"], ["Alpha", "Ann", 100], ["Beta", "Bob", 200],
        ["Phase 2"], ["Gamma", "Cy", 50], ["Delta", "Di", 75],
    )  # fmt: skip
    [found] = datasets_of(workbook(tmp_path, fill))
    assert found.columns[3].name == "Group"
    assert [row[-1] for row in rows_of(tmp_path, found)] == ["Phase 1", "Phase 1", "Phase 2", "Phase 2"]


def test_tables_below_and_next_to_each_other_are_datasets_of_their_own(tmp_path: Path) -> None:
    fill = lines(
        ["Item", "Stock", None, "Supplier", "City"], ["Bolt", 10, None, "Acme", "Oslo"],
        ["Nut", 20, None, "Brok", "Rome"], ["Pin", 1], [], ["Rooms"], ["Room", "Size"], ["", "m²"], ["East", 12.5],
        ["West", 8],
    )  # fmt: skip
    found = datasets_of(workbook(tmp_path, fill))
    assert [(dataset.rows, [column.name for column in dataset.columns]) for dataset in found] == [
        (3, ["Item", "Stock"]),
        (2, ["Supplier", "City"]),
        (2, ["Room", "Size (m²)"]),
    ]
    assert (found[2].columns[1].unit, found[2].titles) == ("m²", ("Rooms",))


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    path = tmp_path / "rates.parquet"
    duckdb.sql(
        "COPY (SELECT '0' || n AS code, n * 1.25 AS rate, DATE '2024-01-01' + n AS day, n % 2 = 0 AS is_even "
        f"FROM (SELECT CAST(range AS INTEGER) AS n FROM range(5))) TO '{path}' (FORMAT parquet)"
    )
    [found] = datasets_of(path)
    assert list(types_of(found).values()) == ["code", "number", "date", "boolean"]
    assert rows_of(tmp_path, found)[1] == (3, "01", 1.25, datetime.date(2024, 1, 2), False)


def test_a_last_row_that_sums_up_the_others_is_a_total_whatever_it_is_called(tmp_path: Path) -> None:
    fees = [("A1", "Meters", 9, 2860.8), ("A2", "Gateways", 3, 1329.9), ("A3", "Visits", 2, 223.2)]
    rows = [("Line", "Item", "Quantity", "Amount"), *fees]
    summed = workbook(tmp_path, lines(*rows, ("Estimated value of the contract", "", "", 4413.9)), "summed.xlsx")
    [dataset] = datasets_of(summed)
    assert (dataset.rows, len(dataset.totals)) == (3, 1)
    other = workbook(tmp_path, lines(*rows, ("A4", "", "", 500.0)), "other.xlsx")
    [dataset] = datasets_of(other)
    assert (dataset.rows, len(dataset.totals)) == (4, 0)


@pytest.mark.parametrize(
    ("texts", "value"),
    [
        (["1,530", "980", "2,410"], 1530),
        (["1.530", "980", "2.410"], 1530),
        (["1,530", "2,45", "3,10"], 1.53),
        (["1,530", *["2,410"] * 20, "980", "1,1024"], 1530),
        (["0,250", "1,530"], 1.53),
    ],
)
def test_a_column_decides_its_decimal_mark_together(texts: list[str], value: float) -> None:
    names = Sample("Opened", ["May 3,12", "June 14,2", "July 9,1"])
    table = table_of([names, Sample("Amount", texts)], semicolons=False)
    assert table.mark == plan_of(Sample("Amount", texts), table).mark
    number = number_of(next(text for text in texts if text.endswith("530")), table.mark)
    assert number is not None
    assert number.value == value
