from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlwt

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extracted import Extracted
from core.reading_settings import ReadingOptions
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]


def _format(code: str) -> Any:
    style = xlwt.XFStyle()
    style.num_format_str = code
    return style


@pytest.fixture
def data() -> bytes:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Prices")
    sheet.write_merge(0, 0, 0, 2, "Price list")
    for column, text in enumerate(["Product", "Cost", "Price"]):
        sheet.write(1, column, text)
    values = [("Rate", 1, "0%"), ("Code", 417, "00000"), ("Rent", 9800, "[$€-407] #,##0"), ("Day", 45352, "d/m/yyyy")]
    for row, (label, value, code) in enumerate([*values, ("Count", 12, "General"), ("Hours", 1.25, "[h]:mm")], start=2):
        sheet.write(row, 0, label)
        sheet.write(row, 1, 7)
        sheet.write(row, 2, value, _format(code))
    sheet.write(8, 0, "Profit")
    sheet.write_rich_text(8, 2, ("38", ("2", xlwt.easyfont("escapement superscript"))))
    sheet.write(9, 0, "Stools")
    sheet.row(9).hidden = True
    sheet.col(1).hidden = True
    old = book.add_sheet("Old")
    old.write(0, 0, "gone")
    old.visibility = 2
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_an_old_workbook_is_read_as_people_see_it(read: Read, data: bytes, tmp_path: Path) -> None:
    extracted = read("a.xls", data)
    title, table = extracted.blocks
    assert title.text == "Price list"
    assert table.header.endswith("Product | Price")
    shown = [line.split(" | ")[1] for line in table.text.split("\n")]
    assert shown == ["100%", "00417", "€9,800", "2024-03-01", "12", "30:00", "38²"]
    assert [english for english, _ in extracted.notes] == [
        "Hidden sheets were not read: Old.",
        "Hidden parts of the sheet Prices were not read (rows: 1, columns: 1).",
    ]
    (tmp_path / "a.xls").write_bytes(data)
    settings = Settings(_env_file=None, reading=ReadingOptions(hidden=True))  # type: ignore[call-arg]
    whole = extract(tmp_path / "a.xls", "a.xls", settings)
    assert {"Stools", "gone", "7"} <= set(whole.text.replace("|", " ").split())


def test_one_that_is_broken_is_called_damaged(read: Read, data: bytes) -> None:
    with pytest.raises(PalimpsestError, match="damaged"):
        read("a.xls", data[:1600])


def test_an_encrypted_one_is_called_protected(read: Read, data: bytes) -> None:
    begin = data.index(b"\x09\x08\x10\x00\x00\x06\x05\x00")
    length = 4 + int.from_bytes(data[begin + 2 : begin + 4], "little")
    key = b"\x2f\x00\x06\x00\x00\x00\x01\x02\x03\x04"
    locked = bytearray(data)
    locked[begin + length : begin + length + len(key)] = key
    with pytest.raises(PalimpsestError, match="protected"):
        read("a.xls", bytes(locked))


def test_text_under_the_name_of_a_workbook_is_a_table(read: Read) -> None:
    extracted = read("a.xls", "City\tSales\nHaifa\t310\nEilat\t205\n")
    assert extracted.blocks[0].header == "City | Sales"


XML = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:x="urn:schemas-microsoft-com:office:excel">
<Styles><Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style>
<Style ss:ID="e"><NumberFormat ss:Format="[$€-407] #,##0"/></Style>
<Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style></Styles>
<Worksheet ss:Name="Prices"><Table><Column/><Column ss:Hidden="1"/>
<Row><Cell><Data ss:Type="String">Item</Data></Cell><Cell ss:Index="3"><Data ss:Type="String">Value</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">Rate</Data></Cell><Cell><Data ss:Type="Number">61</Data></Cell>
<Cell ss:StyleID="p"><Data ss:Type="Number">1</Data>
<Comment ss:Author="Dana"><ss:Data><B>Dana:</B> Until June</ss:Data></Comment></Cell></Row>
<Row><Cell><Data ss:Type="String">Rent</Data></Cell>
<Cell ss:Index="3" ss:StyleID="e"><Data ss:Type="Number">9800</Data></Cell></Row>
<Row ss:Hidden="1"><Cell><Data ss:Type="String">Stools</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">Day</Data></Cell>
<Cell ss:Index="3" ss:StyleID="d"><Data ss:Type="DateTime">2024-03-01T00:00:00.000</Data></Cell></Row>
<Row><Cell><Data ss:Type="String">Profit</Data></Cell>
<Cell ss:Index="3"><ss:Data ss:Type="String">38<Sup>2</Sup></ss:Data></Cell></Row></Table></Worksheet>
<Worksheet ss:Name="Old"><Table><Row><Cell><Data ss:Type="String">gone</Data></Cell></Row></Table>
<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet></Workbook>"""


def test_a_workbook_in_xml_is_read_as_people_see_it(read: Read) -> None:
    extracted = read("a.xls", XML)
    table, note = extracted.blocks
    assert table.text == "Rate | 100.00%\nRent | €9,800\nDay | 2024-03-01\nProfit | 38²"
    assert note.text == "Note on C2 (Rate, Value, 100.00%), by Dana: Until June"
    assert [english for english, _ in extracted.notes] == [
        "Hidden sheets were not read: Old.",
        "Hidden parts of the sheet Prices were not read (rows: 1, columns: 1).",
    ]
