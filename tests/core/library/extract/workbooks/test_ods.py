from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extracted import Extracted
from core.reading_settings import ReadingOptions
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]
NAMES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in {
        "office": "office", "table": "table", "text": "text", "style": "style", "number": "datastyle", "fo": "fo",
    }.items()
)  # fmt: skip
STYLES = """
<style:style style:name="gone" style:family="table"><style:table-properties table:display="false"/></style:style>
<number:date-style style:name="N1"><number:month number:textual="true"/><number:year/></number:date-style>
<style:style style:name="month" style:family="table-cell" style:data-style-name="N1"/>
<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
"""


def _ods(tables: str, **parts: str) -> bytes:
    out = io.BytesIO()
    content = (
        f'<office:document-content {NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/"><office:automatic-styles>{STYLES}'
        f"</office:automatic-styles><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", parts.pop("content", content))
        for name, text in parts.items():
            archive.writestr(name.replace("_", "/") + ".xml", text)
    return out.getvalue()


def _text(text: str, attributes: str = "", more: str = "") -> str:
    return f'<table:table-cell office:value-type="string" {attributes}><text:p>{text}</text:p>{more}</table:table-cell>'


def _value(kind: str, value: str, shown: str, style: str = "") -> str:
    name = "date-value" if kind == "date" else "value"
    return (
        f'<table:table-cell table:style-name="{style}" office:value-type="{kind}" office:{name}="{value}">'
        f"<text:p>{shown}</text:p></table:table-cell>"
    )


def _row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


def _table(*rows: str, attributes: str = 'table:name="Prices"') -> str:
    return f"<table:table {attributes}>{''.join(rows)}</table:table>"


def test_cells_are_as_they_are_displayed(read: Read) -> None:
    raised = '38<text:span text:style-name="up">2</text:span>'
    data = _ods(
        _table(
            _row(_text("Item"), _text("Value")),
            _row(_text("Rate"), _value("percentage", "1", "100%")),
            _row(_text("Rent"), _value("currency", "9800.5", "9.800,50 €")),
            _row(_text("Small"), _value("float", "1.234", "1,234")),
            _row(_text("Code"), _value("float", "417", "00417")),
            _row(_text("Day"), _value("date", "2024-03-01", "01.03.24")),
            _row(_text("Month"), _value("date", "2024-03-01", "Mar 24", "month")),
            _row(_text("Profit"), _text(raised)),
        )
    )
    (table,) = read("a.ods", data).blocks
    shown = [line.split(" | ")[1] for line in table.text.split("\n")]
    assert shown == ["100%", "9,800.50 €", "1.234", "00417", "2024-03-01", "Mar 24", "38²"]


def test_what_is_hidden_is_left_out_and_told(read: Read, tmp_path: Path) -> None:
    column = '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-column/>'
    note = "<office:annotation><dc:creator>Dana</dc:creator><text:p>Ask again</text:p></office:annotation>"
    data = _ods(
        _table(
            column,
            _row(_text("Product"), _text("Cost"), _text("Price")),
            _row(_text("Chairs"), _value("float", "61", "61"), _text("120", more=note)),
            _row(_text("Stools"), attributes='table:visibility="filter"'),
        )
        + _table(_row(_text("gone")), attributes='table:name="Old" table:style-name="gone"')
    )
    extracted = read("a.ods", data)
    assert extracted.text == "Chairs | 120\n\nNote on C2 (Chairs, Price, 120), by Dana: Ask again"
    assert [english for english, _ in extracted.notes] == [
        "Hidden sheets were not read: Old.",
        "Hidden parts of the sheet Prices were not read (rows: 1, columns: 1).",
    ]
    (tmp_path / "a.ods").write_bytes(data)
    settings = Settings(_env_file=None, reading=ReadingOptions(hidden=True))  # type: ignore[call-arg]
    assert {"61", "Stools", "gone"} <= set(
        extract(tmp_path / "a.ods", "a.ods", settings).text.replace("|", " ").split()
    )


def test_a_row_that_is_said_once_fills_no_memory(read: Read) -> None:
    bomb = _row(_text("x", 'table:number-columns-repeated="16000"'), attributes='table:number-rows-repeated="1048576"')
    began = time.process_time()
    extracted = read("a.ods", _ods(_table(_row(_text("first")), *[bomb] * 3)))
    assert time.process_time() - began < 20
    assert any("very large" in english for english, _ in extracted.notes)
    far = _row(attributes='table:number-rows-repeated="1048000"')
    assert read("a.ods", _ods(_table(_row(_text("first")), far, _row(_text("last"))))).text == "first\n\nlast"


def test_damage_ends_a_sheet_and_not_the_file(read: Read) -> None:
    whole = _ods(_table(_row(_text("City"), _text("Sales")), _row(_text("Haifa"), _text("310")), _row(_text("Eilat"))))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        content = archive.read("content.xml").decode()
    extracted = read("a.ods", _ods("", content=content.split("Eilat")[0]))
    assert extracted.text == "Haifa | 310"
    assert "Only its first 2 rows" in extracted.notes[0][0]
    for content, kind in (("<", "damaged"), ("", "protected")):
        parts = {} if content else {"META-INF_manifest": "<manifest:encryption-data/>"}
        with pytest.raises(PalimpsestError, match=kind):
            read("a.ods", _ods("", content=content, **parts))
