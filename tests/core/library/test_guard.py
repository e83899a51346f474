from __future__ import annotations

import io
import struct
import zipfile
from contextlib import nullcontext
from pathlib import Path

import docx
import pptx
import pytest

from core.errors import PalimpsestError, Problem
from core.library.guard import MOST_ENTRIES, inspect, safe_filename
from core.setting_groups import Limits
from core.settings import Settings

PROTECTED = "<< /Filter /Standard /V 1 /R 2 /P -4 /O <" + "41" * 32 + "> /U <" + "42" * 32 + "> >>"


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, ocr_enabled=False, limits=Limits(unpacked_bytes=2_000_000))


def _docx() -> bytes:
    out = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("text")
    document.save(out)
    return out.getvalue()


def _with(data: bytes, name: str, content: bytes) -> bytes:
    out = io.BytesIO(data)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


def _replaced(data: bytes, name: str, old: bytes, new: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.namelist():
            content = source.read(entry)
            target.writestr(entry, content.replace(old, new, 1) if entry == name else content)
    return out.getvalue()


def _pdf(content: bytes, trailer: bytes = b"") -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R "
        b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size 5 /Root 1 0 R /ID [<00> <00>] %s >>\nstartxref\n%d\n%%%%EOF" % (trailer, start))
    return out.getvalue()


TEXT_PAGE = b"BT /F 12 Tf 20 100 Td (Hello there) Tj ET"
SCAN_PAGE = b"q 200 0 0 200 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x7f EI Q"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENTITIES = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document'


def _refusal(tmp_path: Path, name: str, data: bytes, settings: Settings) -> Problem:
    path = tmp_path / "upload"
    path.write_bytes(data)
    with pytest.raises(PalimpsestError) as caught:
        inspect(path, name, settings)
    return caught.value.problem


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.pdf", _pdf(TEXT_PAGE)), ("a.docx", _docx()), ("a.txt", b"words"), ("wrong.pdf", _docx())],
    ids=["pdf", "docx", "txt", "wrong extension"],
)
def test_good_files_pass(tmp_path: Path, settings: Settings, name: str, data: bytes) -> None:
    path = tmp_path / "upload"
    path.write_bytes(data)
    inspect(path, name, settings)


def _pptx() -> bytes:
    out = io.BytesIO()
    pptx.Presentation().save(out)
    return out.getvalue()


CASES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("a.txt", b"", "is empty"),
    "pdf with a password": ("a.pdf", _pdf(TEXT_PAGE, b"/Encrypt " + PROTECTED.encode()), "password-protected"),
    "office with a password": ("a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "password-protected"),
    "slides with a password": ("a.pptx", OLE + "EncryptedPackage".encode("utf-16-le"), "password-protected"),
    "cut slides": ("a.pptx", _pptx()[:2000], "is damaged"),
    "slides that are a bomb": (
        "a.pptx",
        _with(_pptx(), "ppt/media/x.bin", bytes(3_000_000)),
        "far too large when unpacked",
    ),
    "a picture without an engine": ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(99), "scan without text"),
    "a photograph without an engine": ("a.jpg", b"\xff\xd8\xff\xe0" + bytes(99), "scan without text"),
    "broken pdf": ("a.pdf", b"%PDF-1.7\nnothing of a PDF follows", "is damaged"),
    "cut docx": ("a.docx", _docx()[:2000], "is damaged"),
    "binary called pdf": ("a.pdf", bytes(range(256)) * 9, "is damaged"),
    "binary garbage": ("a.dat", bytes(range(256)) * 9, "unsupported file type"),
    "scan": ("a.pdf", _pdf(SCAN_PAGE), "scan without text"),
    "zip bomb": ("a.docx", _with(_docx(), "word/media/x.bin", bytes(3_000_000)), "far too large when unpacked"),
    "entities": ("a.docx", _replaced(_docx(), "word/document.xml", b"<w:document", ENTITIES), "was rejected"),
    "entities in wide letters": (
        "a.docx",
        _with(_docx(), "word/other.xml", "<?xml version='1.0'?><!DOCTYPE a>".encode("utf-16")),
        "was rejected",
    ),
}


def test_a_part_that_cannot_be_unpacked_costs_the_file_only_where_it_is_the_main_one(
    tmp_path: Path, settings: Settings
) -> None:
    for broken, refused in (("word/media/x.bin", False), ("word/document.xml", True)):
        data = _with(_docx(), "word/media/x.bin", b"picture" * 20)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entry = archive.getinfo(broken)
        start = entry.header_offset + 30 + len(broken) + 4
        damaged = data[:start] + bytes(8) + data[start + 8 :]
        path = tmp_path / "upload"
        path.write_bytes(damaged)
        with pytest.raises(PalimpsestError, match="damaged") if refused else nullcontext():
            inspect(path, "a.docx", settings)


@pytest.mark.parametrize("case", CASES)
def test_each_refusal_has_words_of_its_own(tmp_path: Path, settings: Settings, case: str) -> None:
    name, data, words = CASES[case]
    problem = _refusal(tmp_path, name, data, settings)
    assert words in problem.what.en
    assert problem.category == "validation"
    for part in (problem.what, problem.why, problem.remedy):
        assert part.en.endswith(".")
        assert any("א" <= letter <= "ת" for letter in part.he)


def test_too_large_is_said_in_megabytes(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, limits=Limits(file_bytes=3 * 1024 * 1024))
    problem = _refusal(tmp_path, "a.txt", b"x" * (3 * 1024 * 1024 + 600_000), settings)
    assert "3.6 MB" in problem.what.en
    assert "up to 3 MB" in problem.why.en


def test_a_scan_passes_when_an_engine_is_there(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.library.extract.ocr.is_available", lambda settings: True)
    path = tmp_path / "scan.pdf"
    path.write_bytes(_pdf(SCAN_PAGE))
    inspect(path, "scan.pdf", settings)


def test_too_many_entries(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_ENTRIES > 1_000
    monkeypatch.setattr("core.library.guard.MOST_ENTRIES", 5)
    assert "unpacked" in _refusal(tmp_path, "a.docx", _docx(), settings).what.en


def test_a_size_that_lies_is_found_out(tmp_path: Path, settings: Settings) -> None:
    """The archive's directory declares ten bytes, but the file unpacks to three million."""
    data = bytearray(_with(_docx(), "word/media/x.bin", bytes(3_000_000)))
    entry = data.rindex(b"word/media/x.bin") - 46
    assert data[entry : entry + 4] == b"PK\x01\x02"
    data[entry + 24 : entry + 28] = struct.pack("<I", 10)
    assert _refusal(tmp_path, "a.docx", bytes(data), settings).category == "validation"


def test_one_part_that_cannot_be_unpacked_does_not_cost_the_file(tmp_path: Path, settings: Settings) -> None:
    data = _with(_docx(), "word/media/x.bin", bytes(range(256)) * 40)
    start = data.index(b"word/media/x.bin") + len("word/media/x.bin")
    path = tmp_path / "a.docx"
    path.write_bytes(data[:start] + b"\xff\xff\xff\xff" + data[start + 4 :])
    inspect(path, "a.docx", settings)


def test_an_encrypted_entry_needs_a_password(tmp_path: Path, settings: Settings) -> None:
    data = bytearray(_docx())
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    assert "password" in _refusal(tmp_path, "a.docx", bytes(data), settings).what.en


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("דוח שנתי 2024.docx", "דוח שנתי 2024.docx"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\dana\\plan.xlsx", "plan.xlsx"),
        ("evil\x00\n\u202egpj.exe", "evilgpj.exe"),
        ('a<b>:"c"|d?*.txt', "a_b___c__d__.txt"),
        ("  spaced   out .md ", "spaced out.md"),
        ("con.txt", "_con.txt"),
        ("", "document"),
        ("...", "document"),
        ("/", "document"),
        ("e\u0301.txt", "é.txt"),
        (".htaccess", "htaccess"),
    ],
)
def test_names_are_made_safe(given: str, safe: str) -> None:
    assert safe_filename(given) == safe


def test_long_names_keep_their_extension() -> None:
    name = safe_filename("x" * 400 + ".docx")
    assert len(name) == 150
    assert name.endswith(".docx")
    assert len(safe_filename("y" * 400)) == 150


@pytest.mark.parametrize(
    ("name", "content", "is_refused"),
    [
        ("orders.csv", b"id,name\n" + b"1,seal\n" * 200, False),
        ("orders.tsv", b"id\tname\n" + b"1\tseal\n" * 200, False),
        ("orders.txt", b"id,name\n" + b"1,seal\n" * 200, True),
        ("page.csv", b"<!doctype html><html>" + b"<p>words</p>" * 200, True),
        ("orders.csv", b"id,name\n" + b"1,seal\n" * 1_000, True),
    ],
    ids=["csv", "tsv", "text", "no table", "too large for a table"],
)
def test_tables_have_a_limit_of_their_own(tmp_path: Path, name: str, content: bytes, is_refused: bool) -> None:
    settings = Settings(_env_file=None, limits=Limits(file_bytes=1_000, table_file_bytes=3_000))
    path = tmp_path / "given"
    path.write_bytes(content)
    if is_refused:
        with pytest.raises(PalimpsestError) as caught:
            inspect(path, name, settings)
        assert "too large" in caught.value.problem.what.en
    else:
        inspect(path, name, settings)


@pytest.mark.parametrize("is_bomb", [False, True])
def test_a_sheet_may_unpack_to_a_multiple_of_its_size(tmp_path: Path, is_bomb: bool) -> None:
    """Rows of figures compress to a tenth; a much higher ratio is a zip bomb."""
    path = tmp_path / "rows.xlsx"
    rows = b"".join(f"<row><c><v>{n * 7919 % 99_991}</v></c></row>".encode() for n in range(20_000))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"<sheetData>" + rows + b"</sheetData>")
        if is_bomb:
            archive.writestr("xl/media/zeros.bin", b"\0" * 20_000_000)
    settings = Settings(_env_file=None, limits=Limits(unpacked_bytes=100_000))
    if is_bomb:
        with pytest.raises(PalimpsestError):
            inspect(path, "rows.xlsx", settings)
    else:
        inspect(path, "rows.xlsx", settings)
