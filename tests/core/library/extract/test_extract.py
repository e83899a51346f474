from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extract.problems import SUPPORTED
from core.library.extracted import Extracted
from core.setting_groups import Limits
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]


def _zip(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


def _docx() -> bytes:
    out = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("from a document")
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "mime", "note"),
    [
        (
            "a.pdf",
            _docx(),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "content is DOCX",
        ),
        ("a.docx", b"{\\rtf1 plain}", "application/rtf", "content is RTF"),
        ("a.txt", b"<!DOCTYPE html><html><body>x</body></html>", "text/html", "content is HTML"),
        ("a.xlsx", b"only words", "text/plain", "content is TXT"),
    ],
)
def test_contents_win_over_the_name_and_say_so(read: Read, name: str, data: bytes, mime: str, note: str) -> None:
    extracted = read(name, data)
    assert extracted.mime == mime
    assert note in extracted.notes[0][0]
    assert extracted.notes[0][1]


@pytest.mark.parametrize("name", ["notes", "config.ini", "a.log", "A.TXT"])
def test_any_text_is_read_as_text(read: Read, name: str) -> None:
    extracted = read(name, "just words")
    assert (extracted.text, extracted.mime, extracted.notes) == ("just words", "text/plain", [])


@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("a.wav", b"RIFF\x00\x00\x00\x00WAVE" + bytes(range(256)), "a sound or film"),
        ("a.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "__substg1.0".encode("utf-16-le"), "an Outlook message"),
        ("a.odt", _zip("mimetype", "content.xml"), "an OpenDocument file"),
        ("a.zip", _zip("readme.md"), "a ZIP archive"),
        ("a.exe", b"MZ" + bytes(range(256)) * 4, "a program"),
        ("a.bin", bytes(range(256)) * 8, "not in a supported format"),
    ],
)
def test_what_nobody_reads_lists_what_is_read(read: Read, name: str, data: bytes, found: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read(name, data)
    problem = caught.value.problem
    assert found in problem.why.en
    assert SUPPORTED in problem.remedy.en


@pytest.mark.parametrize("data", [b"", b" \n\t ", b"\x00\x00", b"---\n\n***\n"])
def test_nothing_is_empty(read: Read, data: bytes) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("a.md", data)
    assert "empty" in caught.value.problem.what.en


def test_a_long_text_is_cut_and_says_so(write: Callable[[str, bytes | str], Path]) -> None:
    few = Settings(_env_file=None, limits=Limits(extracted_characters=100))
    extracted = extract(write("a.html", "<p>" + "word " * 100 + "</p><p>more</p>"), "a.html", few)
    assert sum(len(block.text) for block in extracted.blocks) <= 100
    assert "100 characters" in extracted.notes[0][0]


def test_progress_reaches_the_end(write: Callable[[str, bytes | str], Path], settings: Settings) -> None:
    told: list[tuple[int, int]] = []
    extract(write("a.txt", "words"), "a.txt", settings, lambda done, total: told.append((done, total)))
    assert told[-1] == (1, 1)


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    head=st.sampled_from(
        [b"%PDF-1.4\n", b"PK\x03\x04", b"{\\rtf1 ", b"<html>", b"", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"]
    ),
    body=st.binary(max_size=300),
    extension=st.sampled_from(["pdf", "docx", "xlsx", "csv", "html", "rtf", "txt", "md", ""]),
)
def test_garbage_is_read_or_refused_in_words(
    tmp_path: Path, settings: Settings, head: bytes, body: bytes, extension: str
) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(head + body)
    try:
        outcome: Any = extract(path, f"garbage.{extension}", settings).text
    except PalimpsestError as error:
        outcome = error.problem.category
    assert outcome
