"""Tests office packages with missing and broken parts: the rest is read, and missing parts are noted."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import pptx
import pytest

from core.errors import PalimpsestError
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]
Repack = Callable[[bytes, dict[str, bytes]], bytes]


@pytest.fixture
def data() -> bytes:
    document: Any = docx.Document()
    document.add_heading("Notice", 1)
    document.add_paragraph("The meeting is on 14 May.")
    document.add_paragraph("Bring the report.", style="List Number")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


@pytest.mark.parametrize("part", ["word/styles.xml", "word/numbering.xml", "word/settings.xml", "docProps/core.xml"])
@pytest.mark.parametrize("broken", [b"<w:styles", b"", b"<other/>"])
def test_a_broken_part_does_not_cost_the_file(
    read: Read, data: bytes, repacked: Repack, part: str, broken: bytes
) -> None:
    extracted = read("made.docx", repacked(data, {part: broken}))
    assert "The meeting is on 14 May." in extracted.text
    assert "Bring the report." in extracted.text
    assert broken == b"<other/>" or part in extracted.notes[0][0]


def test_a_document_that_breaks_off_is_read_as_far_as_it_goes(read: Read, data: bytes, repacked: Repack) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        text = archive.read("word/document.xml")
    extracted = read("made.docx", repacked(data, {"word/document.xml": text[: text.index(b"Bring")]}))
    assert [block.text for block in extracted.blocks] == ["Notice", "The meeting is on 14 May."]
    assert "word/document.xml" in extracted.notes[0][0]


def test_a_missing_part_is_noted(read: Read, data: bytes, repacked: Repack) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        relations = archive.read("word/_rels/document.xml.rels").decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    lost = "".join(
        f'<Relationship Id="rIdX{name}" Type="{kind}/{name}" Target="{target}"/>'
        for name, target in (("image", "media/plan.png"), ("comments", "NULL"), ("footnotes", "footnotes.xml"))
    )
    changed = relations.replace("</Relationships>", f"{lost}</Relationships>").encode()
    extracted = read("made.docx", repacked(data, {"word/_rels/document.xml.rels": changed}))
    assert "The meeting is on 14 May." in extracted.text
    assert extracted.notes[0][0].startswith("Some parts of the file are missing: plan.png, comments, footnotes.xml.")


def test_where_nothing_can_be_read_the_file_is_damaged(read: Read, data: bytes, repacked: Repack) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("made.docx", repacked(data, {"word/document.xml": b"\x00\x01 nothing"}))
    assert "damaged" in caught.value.problem.what.en


MAIN = ("presentation.xml", "presentation.xml.rels", "document.xml")


def _deck() -> bytes:
    deck: Any = pptx.Presentation()
    for text in ("First", "Second"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = text
        slide.shapes.add_textbox(0, 0, 1, 1).text_frame.text = f"said on {text}"
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.mark.parametrize("name", ["made.docx", "made.pptx"])
def test_no_part_but_the_main_one_costs_the_file(read: Read, data: bytes, name: str) -> None:
    with zipfile.ZipFile(io.BytesIO(data if name == "made.docx" else _deck())) as archive:
        parts = {each: archive.read(each) for each in archive.namelist()}
    unread = []
    for part in parts:
        for broken in (None, parts[part][: len(parts[part]) // 2], b"<other/>"):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as target:
                for each, content in parts.items():
                    if (kept := content if each != part else broken) is not None:
                        target.writestr(each, kept)
            try:
                text = read(name, out.getvalue()).text
            except PalimpsestError:
                text = ""
            if "14 May" not in text and "said on First" not in text and "said on Second" not in text:
                unread.append(part)
    assert [part for part in unread if not part.endswith(MAIN)] == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("made.docm", "application/vnd.ms-word.document.macroEnabled.main+xml"),
        ("made.dotx", "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"),
        ("made.ppsx", "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"),
        ("made.potx", "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml"),
        ("made.ppsm", "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml"),
    ],
)
def test_files_with_macros_templates_and_shows_are_read(
    read: Read, data: bytes, repacked: Repack, name: str, kind: str
) -> None:
    data = data if ".do" in name else _deck()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        types = archive.read("[Content_Types].xml")
    plain = re.search(rb"application/vnd\.[a-z.-]+\.(?:document|presentation)\.main\+xml", types)
    assert plain
    extracted = read(name, repacked(data, {"[Content_Types].xml": types.replace(plain.group(), kind.encode())}))
    assert "14 May" in extracted.text or "said on First" in extracted.text
    assert not extracted.notes


def test_a_numbered_main_part_is_found(read: Read, data: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as target:
        for name in archive.namelist():
            renamed = archive.read(name).replace(b"word/document.xml", b"word/document2.xml")
            target.writestr(name.replace("word/document.xml", "word/document2.xml"), renamed)
    assert "14 May" in read("made.docx", out.getvalue()).text
