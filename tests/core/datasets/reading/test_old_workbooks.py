"""Reads workbooks in older formats: the same rows as from XLSX, with exact numbers, dates and several sheets."""

from __future__ import annotations

import datetime
import struct
import subprocess
import zipfile
from pathlib import Path

import duckdb
import openpyxl
import pytest

from core.datasets.reading.reading import read_datasets
from core.library.extract.workbooks.binary_records import Kind
from core.settings import Settings
from tests.equipment import find_office
from tests.xlsb_writer import cell, record, rels, row, text, words, zipped

DOCUMENT = f"doc_{'0' * 32}"
COUNT = struct.pack("<I", 4)
"""The number of cell styles, which some writers leave out."""
END_OF_SHEETS, END_OF_BOOK = record(144), record(132)
Read = dict[str, tuple[dict[str, str], list[tuple[object, ...]]]]


def read(path: Path) -> Read:
    """The types of columns and the rows of each sheet."""
    folder = path.parent
    found = read_datasets(path, path.name, DOCUMENT, folder, Settings(_env_file=None, home=folder), None)
    return {
        each.sheet: (
            {column.name: f"{column.type} {column.unit}".strip() for column in each.columns},
            duckdb.sql(f"SELECT * FROM read_parquet('{folder / each.digest}') ORDER BY _row").fetchall(),
        )
        for each in found
    }


def stock(folder: Path) -> Path:
    """A workbook with two visible sheets, rounded formats, dates, codes, a formula, a hidden row and a total."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet
    sheet.title = "Stock"
    sheet["B2"] = "Stock of the yard"
    rows = [
        ("Part", "Weight", "Price", "Share", "Checked", "Late"),
        ("P1", 1234.567, 2.505, 0.125, datetime.date(2025, 5, 6), True),
        ("P2", 80.25, -100, 0.5, datetime.date(2025, 6, 1), False),
        ("P3", 7, 3.3333, 0.375, datetime.date(2024, 2, 29), True),
        ("P4", 5, 1, 0, datetime.date(2024, 3, 1), True),
    ]
    formats = ("General", '#,##0 "kg"', "$#,##0.00", "0%", "d mmm yyyy", "General")
    for number, values in enumerate(rows, start=4):
        for place, (value, shown) in enumerate(zip(values, formats, strict=True), start=2):
            made = sheet.cell(number, place, value)
            made.number_format = "General" if number == 4 else shown
    sheet["B9"], sheet["C9"] = "Total", "=SUM(C5:C8)"
    sheet.row_dimensions[8].hidden = True
    codes = book.create_sheet("Codes")
    for values in (("Account", "Name", "Opened"), (400, "Rent", 9), (41, "מים", 10), (402, "Power", 11)):
        codes.append(values)
    for line, hour in zip(range(2, 5), (9, 10, 11), strict=True):
        codes.cell(line, 1).number_format = "00000"
        codes.cell(line, 3, datetime.datetime(2025, 1, 2, hour, 30)).number_format = "yyyy-mm-dd hh:mm"
    book.create_sheet("Old").append(["gone", "away"])
    book["Old"].sheet_state = "hidden"
    book.save(folder / "stock.xlsx")
    return folder / "stock.xlsx"


def test_an_xls_file_gives_the_rows_of_the_same_xlsx_file(tmp_path: Path) -> None:
    office = find_office()
    assert office is not None, "run `make equipment`"
    path = stock(tmp_path)
    command = [office, "--headless", f"-env:UserInstallation=file://{tmp_path}/office", "--convert-to", "xls"]
    subprocess.run([*command, "--outdir", str(tmp_path), str(path)], check=True, capture_output=True, timeout=240)
    found = read(path.with_suffix(".xls"))
    types, rows = found["Stock"]
    assert types == {
        "Part": "code", "Weight": "number kg", "Price": "money USD", "Share": "percent", "Checked": "date",
        "Late": "boolean",
    }  # fmt: skip
    assert rows == [
        (5, "P1", 1234.567, 2.505, 0.125, datetime.date(2025, 5, 6), True),
        (6, "P2", 80.25, -100, 0.5, datetime.date(2025, 6, 1), False),
        (7, "P3", 7, 3.3333, 0.375, datetime.date(2024, 2, 29), True),
    ]
    assert found["Codes"][1][1] == (3, "00041", "מים", datetime.datetime(2025, 1, 2, 10, 30))
    assert found == read(path)


def whole(rows: bytes) -> bytes:
    """A sheet with its size, and the records that begin and end its rows."""
    return record(129) + record(148, struct.pack("<IIII", 0, 3, 0, 4)) + record(145) + rows + record(146) + record(130)


def number(column: int, style: int, value: float) -> bytes:
    return cell(Kind.REAL, column, style, struct.pack("<d", value))


@pytest.fixture
def binary(tmp_path: Path) -> Path:
    """A binary workbook with two sheets: numbers with rounded formats, percents, dates, booleans, shared texts."""
    formats = [0, 164, 9, 14]
    styles = record(Kind.FORMAT, struct.pack("<H", 164), text('#,##0 "kg"'))
    styles += record(Kind.FONT, struct.pack("<HHHH", 220, 0, 400, 0)) + record(Kind.CELL_STYLES, COUNT)
    styles += b"".join(record(Kind.STYLE, struct.pack("<HHH", 0, code, 0)) for code in formats)
    heads = ("Part", "Weight", "Share", "Checked", "Late")
    sheet = row(0) + b"".join(words(place, head) for place, head in enumerate(heads))
    lines = (("P1", 1234.567, 0.125, 45783, 1), ("P2", 80.25, 0.5, 45809, 0), ("P3", 7, 0.375, 45351, 1))
    for place, (part, weight, share, day, late) in enumerate(lines, start=1):
        sheet += row(place) + words(0, part) + number(1, 1, weight) + number(2, 2, share) + number(3, 3, day)
        sheet += cell(Kind.BOOLEAN, 4, 0, bytes([late]))
    hours = row(0) + words(0, "Name") + words(1, "Hours")
    for place, (name, worked) in enumerate((("נועה", 6.25), ("Dana", 7.5)), start=1):
        hours += row(place) + words(0, name) + number(1, 0, worked)
    path = tmp_path / "stock.xlsb"
    sheets = [
        struct.pack("<II", 0, 1) + text("r0") + text("Stock"),
        struct.pack("<II", 0, 2) + text("r1") + text("Staff"),
    ]
    path.write_bytes(
        zipped(
            {
                "_rels/.rels": rels(("officeDocument", "xl/workbook.bin")),
                "xl/workbook.bin": b"".join(record(Kind.SHEET, each) for each in sheets) + END_OF_SHEETS + END_OF_BOOK,
                "xl/_rels/workbook.bin.rels": rels(
                    ("worksheet", "worksheets/sheet1.bin"),
                    ("worksheet", "worksheets/sheet2.bin"),
                    ("styles", "styles.bin"),
                ),
                "xl/styles.bin": styles + record(Kind.END_CELL_STYLES),
                "xl/worksheets/sheet1.bin": whole(sheet),
                "xl/worksheets/sheet2.bin": whole(hours),
            }
        )
    )
    return path


def test_a_binary_workbook_gives_exact_numbers_and_dates(binary: Path) -> None:
    found = read(binary)
    assert found["Stock"][1][0] == (2, "P1", 1234.567, 0.125, datetime.date(2025, 5, 6), True)
    assert found["Stock"][0]["Weight"] == "number kg"
    assert found["Staff"][1] == [(2, "נועה", 6.25), (3, "Dana", 7.5)]


def test_rounded_values_remain_where_exact_ones_cannot_be_read(binary: Path) -> None:
    with zipfile.ZipFile(binary) as archive:
        parts: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    styles = parts["xl/styles.bin"]
    assert isinstance(styles, bytes)
    parts["xl/styles.bin"] = styles.replace(record(Kind.CELL_STYLES, COUNT), record(Kind.CELL_STYLES))
    binary.write_bytes(zipped(parts))
    assert read(binary)["Stock"][1][0] == (2, "P1", 1235, 0.13, datetime.date(2025, 5, 6), True)
