from __future__ import annotations

import io
import zipfile
from pathlib import Path

import docx
import openpyxl

from core.library.extract.ooxml import mended, readable_copy


def _workbook(path: Path) -> Path:
    book = openpyxl.Workbook()
    book.active.append(["Haifa", 310])
    book.create_sheet("Other").append(["Eilat", 205])
    book.save(path)
    return path


def _changed(path: Path, *swaps: tuple[str, str], without: str = "") -> Path:
    out = io.BytesIO()
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(out, "w") as target:
        for name in archive.namelist():
            data = archive.read(name)
            for old, new in swaps if name.endswith((".xml", ".rels")) else ():
                data = data.replace(old.encode(), new.encode())
            if not without or not name.endswith(without):
                target.writestr(name, data)
    path.write_bytes(out.getvalue())
    return path


def test_a_sound_file_is_not_touched(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "a.xlsx")
    assert mended(path) is None
    assert readable_copy(path).getvalue() == path.read_bytes()


def test_strict_namespaces_become_transitional(tmp_path: Path) -> None:
    strict = "http://purl.oclc.org/ooxml/{}"
    path = _changed(
        _workbook(tmp_path / "a.xlsx"),
        ("http://schemas.openxmlformats.org/spreadsheetml/2006/main", strict.format("spreadsheetml/main")),
        (
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            strict.format("officeDocument/relationships"),
        ),
    )
    assert b"purl.oclc.org" in zipfile.ZipFile(path).read("xl/workbook.xml")
    book = openpyxl.load_workbook(readable_copy(path))
    assert [sheet["A1"].value for sheet in book.worksheets] == ["Haifa", "Eilat"]


def test_a_missing_part_stops_no_parser(tmp_path: Path) -> None:
    path = _changed(_workbook(tmp_path / "a.xlsx"), without="sheet1.xml")
    assert [sheet["A1"].value for sheet in openpyxl.load_workbook(readable_copy(path)).worksheets] == ["Eilat"]

    document = docx.Document()
    document.add_paragraph("Kept")
    document.save(str(tmp_path / "a.docx"))
    null = '<Relationship Id="rId99" Type="http://x/image" Target="NULL" TargetMode="Internal"/></Relationships>'
    path = _changed(tmp_path / "a.docx", ("</Relationships>", null))
    assert [each.text for each in docx.Document(readable_copy(path)).paragraphs] == ["Kept"]
