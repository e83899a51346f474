from __future__ import annotations

import io
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extract.workbooks.binary_records import Kind, packed, records
from core.library.extracted import Extracted
from core.reading_settings import ReadingOptions
from core.settings import Settings
from tests.xlsb_writer import cell, record, rels, row, text, words, zipped

Read = Callable[[str, bytes | str], Extracted]


@pytest.fixture
def parts() -> dict[str, bytes | str]:
    styles = [(0, 0), (9, 0), (164, 0), (0, 1)]
    sheet = [
        record(Kind.COLUMNS, struct.pack("<IIIIH", 1, 1, 2000, 0, 1)),
        row(0) + words(0, "Product") + words(1, "Cost") + words(2, "Price"),
        row(1) + words(0, "Rate") + cell(Kind.RK, 1, 0, struct.pack("<I", 61 << 2 | 2)),
        cell(Kind.REAL, 2, 1, struct.pack("<d", 1)),
        row(2)
        + cell(Kind.SHARED, 0, 0, struct.pack("<I", 0))
        + cell(Kind.RK, 2, 2, struct.pack("<I", 980050 << 2 | 3)),
        row(3, hidden=True) + words(0, "Stools"),
        row(4) + words(0, "Broken") + cell(Kind.FORMULA_ERROR, 2, 0, b"\x2a"),
    ]
    runs = struct.pack("<I", 2) + struct.pack("<HHHH", 4, 1, 5, 0)
    return {
        "_rels/.rels": rels(("officeDocument", "xl/workbook.bin")),
        "xl/workbook.bin": record(Kind.SHEET, struct.pack("<II", 0, 1), text("r0"), text("Prices"))
        + record(Kind.SHEET, struct.pack("<II", 2, 2), text("r1"), text("Old")),
        "xl/_rels/workbook.bin.rels": rels(
            ("worksheet", "worksheets/sheet1.bin"),
            ("worksheet", "worksheets/sheet2.bin"),
            ("styles", "styles.bin"),
            ("sharedStrings", "sharedStrings.bin"),
        ),
        "xl/styles.bin": record(Kind.FORMAT, struct.pack("<H", 164), text("[$€-407] #,##0.00"))
        + record(Kind.FONT, struct.pack("<HHHH", 220, 0, 400, 0))
        + record(Kind.FONT, struct.pack("<HHHH", 220, 0, 400, 1))
        + record(Kind.CELL_STYLES)
        + b"".join(record(Kind.STYLE, struct.pack("<HHH", 0, code, font)) for code, font in styles)
        + record(Kind.END_CELL_STYLES),
        "xl/sharedStrings.bin": record(Kind.SHARED_ITEM, b"\x01", text("Rent1 a month"), runs),
        "xl/worksheets/sheet1.bin": b"".join(sheet),
        "xl/worksheets/_rels/sheet1.bin.rels": rels(("comments", "../comments.bin")),
        "xl/comments.bin": record(Kind.COMMENT_AUTHOR, text("Dana"))
        + record(Kind.COMMENT, struct.pack("<IIIII", 0, 1, 1, 2, 2), bytes(16))
        + record(Kind.COMMENT_TEXT, b"\0", text("Until June")),
        "xl/worksheets/sheet2.bin": row(0) + words(0, "gone"),
    }


def test_a_binary_workbook_is_read_as_people_see_it(read: Read, parts: dict[str, bytes | str], tmp_path: Path) -> None:
    extracted = read("a.xlsb", zipped(parts))
    table, note = extracted.blocks
    assert table.header == "Product | Price"
    assert table.text == "Rate | 100%\nRent¹ a month | €9,800.50\nBroken | #N/A"
    assert note.text == "Note on C2 (Rate, Price, 100%), by Dana: Until June"
    assert [english for english, _ in extracted.notes] == [
        "Hidden sheets were not read: Old.",
        "Hidden parts of the sheet Prices were not read (rows: 1, columns: 1).",
        "Cells with an error instead of a value: 1 (#N/A).",
    ]
    (tmp_path / "a.xlsb").write_bytes(zipped(parts))
    settings = Settings(_env_file=None, reading=ReadingOptions(hidden=True))  # type: ignore[call-arg]
    whole = extract(tmp_path / "a.xlsb", "a.xlsb", settings)
    assert {"61", "Stools", "gone"} <= set(whole.text.replace("|", " ").split())


def test_what_is_damaged_costs_no_other_part(read: Read, parts: dict[str, bytes | str]) -> None:
    sheet = parts["xl/worksheets/sheet1.bin"]
    cut = read("a.xlsb", zipped(parts | {"xl/worksheets/sheet1.bin": sheet[:-5], "xl/styles.bin": b"\x2c\x7f"}))
    assert "Rate | 1" in cut.text
    assert [english.split(". ")[0] for english, _ in cut.notes[::3]] == [
        "The sheet Prices is damaged", "The number formats in the workbook are damaged",
    ]  # fmt: skip
    with pytest.raises(PalimpsestError, match="damaged"):
        read("a.xlsb", zipped({"xl/workbook.bin": b"\x9c"}))


def test_numbers_in_short_form() -> None:
    shorts = [(5 << 2 | 2, 5), (((1 << 30) - 7) << 2 | 2, -7), (1234 << 2 | 3, 12.34)]
    assert [packed(struct.pack("<I", bits), 0) for bits, _ in shorts] == [value for _, value in shorts]
    half = int.from_bytes(struct.pack("<d", 0.5)[4:], "little")
    assert packed(struct.pack("<I", half), 0) == 0.5


def test_an_absurd_record_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        list(records(io.BytesIO(b"\x05\xff\xff\xff\x7f")))
