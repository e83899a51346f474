from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable
from typing import Any

import openpyxl
import pytest

from core.errors import PalimpsestError
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]
Repack = Callable[[bytes, dict[str, bytes]], bytes]


def _bytes(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.fixture
def book() -> Any:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "מכירות"
    sheet.append(["דוח מכירות 2024"])
    sheet.append([])
    sheet.append(["עיר", "סכום", "שיעור", "תאריך"])
    sheet.append(["חיפה", 1200.5, 0.25, datetime.date(2024, 5, 1)])
    sheet["C4"].number_format = "0.0%"
    sheet.append(["אילת", 3000, None, datetime.datetime(2024, 5, 2, 10, 30)])
    return book


def test_values_are_as_shown_under_their_headings(read: Read, book: Any) -> None:
    title, table = read("a.xlsx", _bytes(book)).blocks
    assert (title.text, title.sheet) == ("דוח מכירות 2024", "מכירות")
    assert table.header == "עיר | סכום | שיעור | תאריך"
    assert table.text == "חיפה | 1200.5 | 25.0% | 2024-05-01\nאילת | 3000 |  | 2024-05-02 10:30"


def test_every_sheet_is_read(read: Read, book: Any) -> None:
    other = book.create_sheet("Costs")
    other.append(["item", "cost"])
    other.append(["paper", 3])
    extracted = read("a.xlsx", _bytes(book))
    assert extracted.blocks[-1].sheet == "Costs"
    assert extracted.pages == 2


def test_a_formula_without_a_value_is_not_lost(read: Read, book: Any) -> None:
    book.active.append(["סהכ", "=SUM(B4:B5)"])
    assert "סהכ | =SUM(B4:B5)" in read("a.xlsx", _bytes(book)).text


def test_tables_parted_by_empty_rows_share_a_heading_of_their_width(read: Read) -> None:
    book = openpyxl.Workbook()
    for row in (["city", "sales"], ["Haifa", 1], [], [], ["Eilat", 2], ["Acre", 3]):
        book.active.append(row)
    first, second = read("a.xlsx", _bytes(book)).blocks
    assert (first.header, second.header) == ("city | sales", "city | sales")
    assert second.text == "Eilat | 2\nAcre | 3"


@pytest.mark.parametrize(
    "row",
    [
        '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>',
        '<row r="99999999999"><c r="A99999999999"><v>7</v></c></row>',
        "".join(f'<row r="{i}"><c r="XFD{i}"><v>7</v></c></row>' for i in range(10, 400)),
    ],
)
def test_absurd_dimensions_are_read_in_bounded_time(
    read: Read, book: Any, repacked: Repack, row: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.library.extract.xlsx.MOST_CELLS", 100_000)
    data = _bytes(book)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    data = repacked(data, {"xl/worksheets/sheet1.xml": sheet.replace("</sheetData>", row + "</sheetData>").encode()})
    extracted = read("a.xlsx", data)
    assert "חיפה" in extracted.text
    assert any("very large" in note[0] for note in extracted.notes)


def test_a_broken_workbook_is_called_damaged(read: Read, book: Any, repacked: Repack) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("a.xlsx", repacked(_bytes(book), {"xl/workbook.xml": b"<workbook/>"}))
    assert "damaged" in caught.value.problem.what.en
