from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extracted import Extracted
from core.reading_settings import ReadingOptions
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]
Repack = Callable[[bytes, dict[str, bytes]], bytes]
TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
THREADS = "http://schemas.microsoft.com/office/2017/10/relationships/"


def _bytes(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _part(data: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def _with_hidden(data: bytes, tmp_path: Path) -> Extracted:
    path = tmp_path / "a.xlsx"
    path.write_bytes(data)
    settings = Settings(_env_file=None, reading=ReadingOptions(hidden=True))  # type: ignore[call-arg]
    return extract(path, "a.xlsx", settings)


@pytest.fixture
def prices() -> Any:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Prices"
    for row in (["Product", "Cost", "Price"], ["Chairs", 61, 120], ["Desks", 488, 900], ["Stools", 20, 44]):
        sheet.append(row)
    return book


def test_cells_are_as_their_formats_show_them(read: Read, prices: Any) -> None:
    sheet = prices.active
    sheet["B4"].number_format = ";;;"
    for row, (value, code) in enumerate([(1, "0%"), (417, "00000"), (1.25, "[h]:mm")], start=2):
        sheet.cell(row, 3, value).number_format = code
    (table,) = read("a.xlsx", _bytes(prices)).blocks
    assert table.text == "Chairs | 61 | 100%\nDesks | 488 | 00417\nStools |  | 30:00"


def test_raised_marks_join_no_figure(read: Read, prices: Any) -> None:
    sheet = prices.active
    mark = TextBlock(InlineFont(vertAlign="superscript"), "2")
    sheet["B2"] = CellRichText("38", mark)
    sheet["B3"] = 3
    sheet["B3"].font = Font(vertAlign="superscript")
    sheet["A4"] = CellRichText("CO", TextBlock(InlineFont(vertAlign="subscript"), "2"), " price")
    (table,) = read("a.xlsx", _bytes(prices)).blocks
    assert table.text == "Chairs | 38² | 120\nDesks | ³ | 900\nCO₂ price | 20 | 44"
    assert table.table
    assert [cell.value for cell in table.table.rows[0].cells] == [38, 120]


def test_what_is_hidden_is_left_out_and_told(read: Read, prices: Any, tmp_path: Path) -> None:
    prices.active.column_dimensions["B"].hidden = True
    prices.active.row_dimensions[4].hidden = True
    for name, state in (("Old", "hidden"), ("Older", "veryHidden")):
        prices.create_sheet(name).append(["Chairs", 99])
        prices[name].sheet_state = state
    data = _bytes(prices)
    extracted = read("a.xlsx", data)
    assert extracted.text == "Chairs | 120\nDesks | 900"
    assert [english for english, _ in extracted.notes] == [
        "Hidden sheets were not read: Old, Older.",
        "Hidden parts of the sheet Prices were not read (rows: 1, columns: 1).",
    ]
    whole = _with_hidden(data, tmp_path)
    assert all(text in whole.text for text in ("61", "Stools", "99"))
    assert whole.notes == []


def test_a_title_merged_over_a_hidden_column_is_seen(read: Read, prices: Any) -> None:
    prices.active.insert_rows(1)
    prices.active["A1"] = "Price list"
    prices.active.merge_cells("A1:C1")
    prices.active.column_dimensions["A"].hidden = True
    assert read("a.xlsx", _bytes(prices)).blocks[0].text == "Price list"


def test_notes_on_cells_follow_their_table(read: Read, prices: Any) -> None:
    prices.active["C2"].comment = Comment("Dana:\nWith the discount of 10", "Dana")
    prices.active["B3"].comment = Comment("Unseen", "Dana")
    prices.active.column_dimensions["B"].hidden = True
    table, note = read("a.xlsx", _bytes(prices)).blocks
    assert note.text == "Note on C2 (Chairs, Price, 120), by Dana: With the discount of 10"
    assert table.table
    assert "10" not in table.text.replace("120", "")


def test_threads_replace_the_notes_that_stand_for_them(read: Read, prices: Any, repacked: Repack) -> None:
    prices.active["C2"].comment = Comment("[Threaded comment] Your version …", "tc={1}")
    data = _bytes(prices)
    relations = _part(data, "xl/worksheets/_rels/sheet1.xml.rels").decode()
    threads = f'<Relationship Id="t" Type="{THREADS}threadedComment" Target="../threads.xml"/></Relationships>'
    people = f'<Relationship Id="p" Type="{THREADS}person" Target="people.xml"/></Relationships>'
    book = _part(data, "xl/_rels/workbook.xml.rels").decode()
    data = repacked(
        data,
        {
            "xl/worksheets/_rels/sheet1.xml.rels": relations.replace("</Relationships>", threads).encode(),
            "xl/_rels/workbook.xml.rels": book.replace("</Relationships>", people).encode(),
            "xl/threads.xml": b'<T><threadedComment ref="C2" personId="{a}"><text>Is it right?</text></threadedComment>'
            b'<threadedComment ref="C2" personId="{b}"><text>Yes</text></threadedComment></T>',
            "xl/people.xml": b'<P><person id="{a}" displayName="Noa"/><person id="{b}" displayName="Gil"/></P>',
        },
    )
    assert [block.text for block in read("a.xlsx", data).blocks[1:]] == [
        "Note on C2 (Chairs, Price, 120), by Noa: Is it right?",
        "Note on C2 (Chairs, Price, 120), by Gil: Yes",
    ]


def test_a_broken_part_costs_no_other(read: Read, prices: Any, repacked: Repack) -> None:
    prices.create_sheet("Whole").append(["Lamps", 35])
    data = _bytes(prices)
    half = _part(data, "xl/worksheets/sheet1.xml").split(b'<row r="3"')[0]
    broken = repacked(
        data, {"xl/worksheets/sheet1.xml": half, "xl/styles.xml": b"<styleSheet", "docProps/core.xml": b"<"}
    )
    extracted = read("a.xlsx", broken)
    assert "Chairs | 61 | 120" in extracted.text
    assert "Lamps | 35" in extracted.text
    assert [english for english, _ in extracted.notes] == [
        "The sheet Prices is damaged. Only its first 2 rows were read.",
        "The number formats in the workbook are damaged. Amounts, percentages and dates are read as plain numbers.",
    ]
    assert "Lamps | 35" in read("a.xlsx", repacked(data, {"xl/_rels/workbook.xml.rels": b"<"})).text
    with pytest.raises(PalimpsestError):
        read("a.xlsx", repacked(data, {f"xl/worksheets/sheet{number}.xml": b"<" for number in (1, 2)}))


def test_errors_in_place_of_values_are_told(read: Read, prices: Any) -> None:
    prices.active["B2"], prices.active["C4"] = "#N/A", "#REF!"
    assert read("a.xlsx", _bytes(prices)).notes[0][0] == "Cells with an error instead of a value: 2 (#N/A, #REF!)."


def test_lost_texts_are_told(read: Read, prices: Any, repacked: Repack) -> None:
    data = _bytes(prices)
    relations = _part(data, "xl/_rels/workbook.xml.rels").decode()
    shared = f'<Relationship Id="s" Type="{TYPES}sharedStrings" Target="sharedStrings.xml"/></Relationships>'
    row = b'<row r="5"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c><v>7</v></c></row></sheetData>'
    changed = {
        "xl/_rels/workbook.xml.rels": relations.replace("</Relationships>", shared).encode(),
        "xl/sharedStrings.xml": b"<sst><si><r><t>Lamp</t></r>"
        b'<r><rPr><vertAlign val="superscript"/></rPr><t>1</t></r></si>',
        "xl/worksheets/sheet1.xml": _part(data, "xl/worksheets/sheet1.xml").replace(b"</sheetData>", row),
    }
    extracted = read("a.xlsx", repacked(data, changed))
    assert extracted.text.endswith("Lamp¹ |  | 7")
    assert extracted.notes[0][0] == "The texts in the workbook are damaged. Cells that lost their text: 1."


def test_strict_workbooks_are_read(read: Read, prices: Any, repacked: Repack) -> None:
    data = _bytes(prices)
    swaps = {
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
        b"http://schemas.openxmlformats.org/officeDocument/2006/": b"http://purl.oclc.org/ooxml/officeDocument/",
    }
    parts = {}
    for name in ("xl/workbook.xml", "xl/worksheets/sheet1.xml", "xl/_rels/workbook.xml.rels"):
        parts[name] = _part(data, name)
        for old, new in swaps.items():
            parts[name] = parts[name].replace(old, new)
    assert read("a.xlsx", repacked(data, parts)).text == "Chairs | 61 | 120\nDesks | 488 | 900\nStools | 20 | 44"


def test_a_workbook_without_dates_has_none(read: Read, prices: Any, repacked: Repack) -> None:
    data = _bytes(prices)
    assert read("a.xlsx", data).created
    assert read("a.xlsx", repacked(data, {"docProps/core.xml": b"<coreProperties/>"})).created is None


def test_an_empty_text_as_a_result_shows_no_formula(read: Read, prices: Any, repacked: Repack) -> None:
    data = _bytes(prices)
    sheet = _part(data, "xl/worksheets/sheet1.xml")
    empty = b'<c r="B2" t="str"><f>IF(C2=1,"a","")</f><v></v></c>'
    start, end = sheet.index(b'<c r="B2"'), sheet.index(b'<c r="C2"')
    changed = sheet[:start] + empty + sheet[end:]
    assert "Chairs |  | 120" in read("a.xlsx", repacked(data, {"xl/worksheets/sheet1.xml": changed})).text


def test_a_shared_formula_is_moved_to_its_cell(read: Read, prices: Any, repacked: Repack) -> None:
    data = _bytes(prices)
    sheet = _part(data, "xl/worksheets/sheet1.xml").decode()
    row = '<row r="5"><c r="A5"><f t="shared" si="0">SUM(A2:A4)</f></c><c r="B5"><f t="shared" si="0"/></c></row>'
    data = repacked(data, {"xl/worksheets/sheet1.xml": sheet.replace("</sheetData>", row + "</sheetData>").encode()})
    assert "=SUM(A2:A4) | =SUM(B2:B4)" in read("a.xlsx", data).text


def test_a_chart_of_what_is_not_seen_is_a_table(read: Read, prices: Any) -> None:
    sheet = prices.active
    hidden = prices.create_sheet("Plan")
    for row in (["Year", "Units"], ["2025", 310], ["2026", 420]):
        hidden.append(row)
    hidden.sheet_state = "hidden"
    for source, title, columns in ((hidden, "Planned units", (2, 2)), (sheet, "Prices of today", (3, 3))):
        chart = BarChart()
        chart.title = title
        chart.add_data(Reference(source, min_col=columns[0], min_row=1, max_row=3), titles_from_data=True)
        chart.set_categories(Reference(source, min_col=1, min_row=2, max_row=3))
        sheet.add_chart(chart, "F2")
    data = _bytes(prices)
    points = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate((310, 420)))
    parts = {
        f"xl/charts/chart{number}.xml": _cached(_part(data, f"xl/charts/chart{number}.xml"), points)
        for number in (1, 2)
    }
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, parts.get(name) or old.read(name))
    _, first, planned, second = read("a.xlsx", out.getvalue()).blocks
    assert (first.text, second.text) == ("Planned units", "Prices of today")
    assert "310" in planned.text
    assert "420" in planned.text


def _cached(chart: bytes, points: str) -> bytes:
    """A chart with the cached values that programs store in it."""
    prefix = "c:" if b"<c:val>" in chart else ""
    cache = f'<numCache><ptCount val="2"/>{points.replace("c:", "")}</numCache></numRef></val>'
    cache = re.sub(r"<(/?)", rf"<\1{prefix}", cache)
    head, end = chart.decode().split(f"</{prefix}numRef></{prefix}val>", 1)
    return f"{head}{cache}{end}".encode()
