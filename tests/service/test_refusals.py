"""Files that cannot be used: each is told in words of its own, and nothing of it is kept."""

from __future__ import annotations

import io
import re
import zipfile

import docx
import pytest

from core.errors import PalimpsestError, Problem
from core.settings import Limits
from tests.service.conftest import Open
from tests.service.house import POLICY, House

PROTECTED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> >>"
RAW = re.compile(r"Traceback|Error\b|Exception|0x[0-9a-f]{6}|/tmp/|\bNone\b")
LIMITS = Limits(file_bytes=200_000, unpacked_bytes=2_000_000)


def pdf(content: bytes, trailer: bytes = b"") -> bytes:
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R "
        b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
    ]
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 5\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places))
    out.write(b"trailer << /Size 5 /Root 1 0 R /ID [<00> <00>] %s >>\nstartxref\n%d\n%%%%EOF" % (trailer, start))
    return out.getvalue()


def word(extra: bytes = b"", text: str = "A pump was repaired in Haifa.") -> bytes:
    out = io.BytesIO()
    document = docx.Document()
    document.add_paragraph(text)
    document.save(out)
    if extra:
        with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("word/media/x.bin", extra)
    return out.getvalue()


TEXT_PAGE = b"BT /F 12 Tf 20 100 Td (Hello there) Tj ET"
SCAN_PAGE = b"q 200 0 0 200 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x7f EI Q"
UNUSABLE: dict[str, tuple[str, bytes, str]] = {
    "corrupt": ("a.pdf", b"%PDF-1.7\nnothing of a PDF follows", "is damaged"),
    "password": ("a.pdf", pdf(TEXT_PAGE, PROTECTED), "protected by a password"),
    "images alone": ("a.pdf", pdf(SCAN_PAGE), "scan without text"),
    "bomb": ("a.docx", word(bytes(3_000_000)), "unpacks to far more"),
    "garbage": ("a.dat", bytes(range(256)) * 9, "kind that cannot be read"),
    "only blanks": ("a.txt", b" \n\t\n ", "is empty"),
}


def assert_words(problem: Problem) -> None:
    for words in (problem.what, problem.why, problem.remedy):
        assert len(words.en) > 10
        assert any("א" <= letter <= "ת" for letter in words.he)
        assert not RAW.search(words.en + words.he)


@pytest.fixture
async def strict(open_house: Open) -> House:
    return await open_house(ocr_enabled=False, limits=LIMITS)


async def test_what_cannot_be_used_is_told_and_not_kept(strict: House) -> None:
    """One house for all, so that the whole table costs one start."""
    told = set()
    for name, (filename, content, words) in UNUSABLE.items():
        document, problem = await strict.problem(filename, content)
        assert words in problem.what.en, name
        assert filename in problem.what.he
        assert_words(problem)
        told.add(problem.what.en.replace(filename, ""))
        assert await strict.outcomes(document) == ["failed"]
        await strict.assert_nothing_stored(document)
        assert strict.stored_files() == [], name
        with pytest.raises(PalimpsestError) as caught:
            await strict.workbench.library.retry("ada", document.id)
        assert_words(caught.value.problem)
        await strict.workbench.library.delete("ada", document.id)
        assert (await strict.workbench.library.undelete("ada", document.id)).state == "failed"
    assert len(told) == len(UNUSABLE)


@pytest.mark.parametrize(("content", "words"), [(b"", "is empty"), (b"x" * 200_001, "is too large")])
async def test_what_is_refused_at_the_door_leaves_no_entry(strict: House, content: bytes, words: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        await strict.give("a.txt", content)
    assert words in caught.value.problem.what.en
    assert_words(caught.value.problem)
    assert await strict.workbench.library.find("ada") == []
    assert strict.stored_files() == []


async def test_a_wrong_extension_is_read_by_what_it_is_and_said(strict: House) -> None:
    document = await strict.read("report.pdf", word())
    assert document.state == "completed"
    assert "docx" in document.mime or "word" in document.mime
    assert any("DOCX" in english for english, _ in document.notes)
    assert await strict.found("pump repaired Haifa") == {"report.pdf"}


async def test_a_reader_that_dies_is_a_damaged_file(strict: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.library.reading.sys.executable", "/bin/false")
    document, problem = await strict.problem("a.md", POLICY)
    assert_words(problem)
    await strict.assert_nothing_stored(document)


async def test_reading_that_takes_too_long_may_be_tried_again(strict: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(strict.workbench.settings.deadlines, "extraction", 0.01)
        document, problem = await strict.problem("a.md", POLICY)
        assert problem.category == "timeout"
        assert_words(problem)
    assert len(strict.stored_files()) == 1
    await strict.workbench.library.retry("ada", document.id)
    assert (await strict.settled(document)).state == "completed"


async def test_a_document_after_a_bad_one_is_read(strict: House) -> None:
    bad = (await strict.give("bad.pdf", UNUSABLE["corrupt"][1])).document
    good = (await strict.give("good.md", POLICY)).document
    assert (await strict.settled(bad)).state == "failed"
    assert (await strict.settled(good)).state == "completed"
