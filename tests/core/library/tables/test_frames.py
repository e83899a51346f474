from __future__ import annotations

import csv
import io

import openpyxl
from hypothesis import given, settings
from hypothesis import strategies as st

from core.library.tables.cells import cell
from core.library.tables.frames import to_csv, to_xlsx
from core.library.tables.records import Column, Row, Table

TABLE = Table(
    caption="Income",
    stub="Line",
    units="in millions",
    scale=1e6,
    columns=[
        Column(header=["Year ended", "2022"], period="2022"),
        Column(header=["Year ended", "2021"], period="2021"),
    ],
    rows=[
        Row(label="Costs", parents=[], cells=[cell("(1,577)"), cell("12.5%")]),
        Row(label="=2+3", parents=["Costs"], cells=[cell("-3"), cell("@name", numeric=False)]),
    ],
    notes=["(1) A note"],
)


def rows_of(data: bytes) -> list[list[str]]:
    assert data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_keeps_negative_numbers_and_holds_formulas_back() -> None:
    rows = rows_of(to_csv(TABLE))
    assert rows[:4] == [["Income"], ["(in millions)"], ["", "Year ended", "Year ended"], ["Line", "2022", "2021"]]
    assert rows[4] == ["Costs", "-1577", "12.5"]
    assert rows[5] == ["'=2+3", "-3", "'@name"]


def test_xlsx_keeps_numbers_and_writes_texts_as_texts() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(to_xlsx(TABLE))).active
    assert sheet is not None
    values = [[each.value for each in row] for row in sheet.iter_rows(min_row=5, max_row=6)]
    assert values == [["Costs", -1577, 12.5], ["=2+3", -3, "@name"]]
    assert [each.data_type for each in sheet[6]] == ["s", "n", "s"]


def test_hebrew_sheets_run_from_the_right() -> None:
    table = Table(caption="מאזן", columns=[Column(header=["2022"])], rows=[Row(label="מזומנים", cells=[cell("1")])])
    assert openpyxl.load_workbook(io.BytesIO(to_xlsx(table))).active.sheet_view.rightToLeft
    assert rows_of(to_csv(table))[-1] == ["מזומנים", "1"]


@settings(deadline=None, max_examples=60)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_text_runs_as_a_formula(label: str, head: str, text: str) -> None:
    shown = cell(text)
    table = Table(caption=head, stub=label, columns=[Column(header=[head])], rows=[Row(label=label, cells=[shown])])
    for row in rows_of(to_csv(table)):
        for value in row:
            assert not value.startswith(("=", "+", "@", "\t", "\r"))
            assert not value.startswith("-") or float(value) < 0
    sheet = openpyxl.load_workbook(io.BytesIO(to_xlsx(table))).active
    assert sheet is not None
    assert all(each.data_type != "f" for row in sheet.iter_rows() for each in row)
