"""Tests unusable files: each has a specific message, and the original is kept for another attempt."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

import docx
import pytest

from core.errors import PalimpsestError, Problem
from core.setting_groups import Limits
from tests.service.conftest import Open
from tests.service.house import POLICY, House

pytestmark = pytest.mark.reader

PROTECTED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> >>"
RAW = re.compile(r"Traceback|Error\b|Exception|0x[0-9a-f]{6}|/tmp/|\bNone\b")
LIMITS = Limits(file_bytes=200_000, unpacked_bytes=2_000_000)


def pdf(
    content: bytes, trailer: bytes = b"", pages: Sequence[bytes] = (), heights: Sequence[int] | None = None
) -> bytes:
    """A PDF with one page of ``content``, or with all ``pages``; ``heights`` are page heights in points."""
    shown = list(pages) or [content]
    kids = b" ".join(b"%d 0 R" % (3 + 2 * number) for number in range(len(shown)))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(shown))]
    for number, each in enumerate(shown):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 %d] /Contents %d 0 R "
            b"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
            % (heights[number] if heights else 200, 4 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(each), each))
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start, size = out.tell(), len(objects) + 1
    table = b"0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    out.write(b"xref\n0 %d\n%s" % (size, table))
    out.write(b"trailer << /Size %d /Root 1 0 R /ID [<00> <00>] %s >>\n" % (size, trailer))
    out.write(b"startxref\n%d\n%%%%EOF" % start)
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
    "password": ("a.pdf", pdf(TEXT_PAGE, PROTECTED), "password-protected"),
    "images alone": ("a.pdf", pdf(SCAN_PAGE), "scan without text"),
    "bomb": ("a.docx", word(bytes(3_000_000)), "far too large when unpacked"),
    "encrypted mail": (
        "a.eml",
        b"From: a@b.c\nSubject: Secret\nContent-Type: application/pkcs7-mime\n\nMIAG",
        "is an encrypted message",
    ),
    "garbage": ("a.dat", bytes(range(256)) * 9, "unsupported file type"),
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


async def test_what_cannot_be_used_is_told_and_its_original_kept_until_it_is_removed(strict: House) -> None:
    """All cases use one workbench, so that the whole list needs only one start."""
    told = set()
    for name, (filename, content, words) in UNUSABLE.items():
        document, problem = await strict.problem(filename, content)
        assert words in problem.what.en, name
        assert filename in problem.what.he
        assert_words(problem)
        told.add(problem.what.en.replace(filename, ""))
        assert await strict.outcomes(document) == ["failed"]
        await strict.assert_nothing_stored(document)
        assert len(strict.stored_files()) == 1, name
        await strict.workbench.library.retry("ada", document.id)
        again = await strict.settled(document)
        assert (again.state, again.problem) == ("failed", problem)
        await strict.workbench.library.delete("ada", document.id)
        assert (await strict.workbench.library.undelete("ada", document.id)).state == "failed"
        await strict.workbench.library.delete("ada", document.id)
        await strict.workbench.library.upkeep.compact(-1)
        assert strict.stored_files() == [], name
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


async def test_a_reader_that_dies_is_no_verdict_on_the_file(strict: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("core.resilience.piped_process.sys.executable", "/bin/false")
        document, problem = await strict.problem("a.md", POLICY)
    assert_words(problem)
    assert "damaged" not in problem.why.en
    await strict.assert_nothing_stored(document)
    await strict.workbench.library.retry("ada", document.id)
    assert (await strict.settled(document)).state == "completed"


async def test_the_same_bytes_after_a_failure_are_another_try(strict: House, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("core.resilience.piped_process.sys.executable", "/bin/false")
        document, _ = await strict.problem("a.md", POLICY)
    given = await strict.give("b.md", POLICY)
    assert (given.status, given.document.id, given.document.filename) == ("accepted", document.id, "b.md")
    assert (await strict.settled(given.document)).state == "completed"
    assert len(await strict.workbench.library.find("ada")) == 1
    assert len(strict.stored_files()) == 1
    assert list(strict.folder.iterdir()) == []


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


async def test_a_failure_is_told_until_it_was_seen_and_a_new_one_again(strict: House) -> None:
    library = strict.workbench.library
    broken = await strict.read("broken.pdf", b"%PDF-1.4 no more")
    await strict.read("policy.md", POLICY)
    assert [each.filename for each in await library.unseen_failures("ada")] == ["broken.pdf"]
    await library.note_failures_seen("bob")
    assert (await library.get("ada", broken.id)).failed_unseen
    await library.note_failures_seen("ada")
    seen = await library.get("ada", broken.id)
    assert (seen.failed_unseen, seen.updated_at) == (False, broken.updated_at)
    await library.retry("ada", broken.id)
    assert (await strict.settled(await library.get("ada", broken.id))).failed_unseen
