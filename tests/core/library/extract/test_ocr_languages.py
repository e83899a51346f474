"""Tests the language in which scans are recognised, on pages drawn here and read by the installed engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.library.extract import extract, ocr
from core.library.extract.ocr import Recognised
from core.library.extract.ocr_languages import FileLanguages, language_file
from core.settings import Settings

FONT = "DejaVuSans.ttf"


ENGLISH = (
    "Quarterly review of the northern plants",
    "Prepared by J. K. and the finance team",
    "Output rose by twelve percent over the year",
    "because two new lines were opened in May",
)
HEBREW = (
    "הוועדה אישרה את תקציב הספרייה לשנה הבאה",
    "והמזכירה קראה את הפרוטוקול של הישיבה הקודמת",
    "בישיבה נכחו כל חברי הוועדה הקבועים",
    "הוחלט לפרסם מכרז לבניית אולם קריאה חדש",
)


def page(lines: tuple[str, ...], leftwards: bool = False) -> Image.Image:
    image = Image.new("L", (1700, 1400), 255)
    draw, font = ImageDraw.Draw(image), ImageFont.truetype(FONT, 44)
    for number, line in enumerate(lines):
        shown = line[::-1] if leftwards else line
        x = 1580 - draw.textlength(shown, font) if leftwards else 120
        draw.text((x, 120 + 80 * number), shown, 0, font)
    return image


def test_the_page_tells_its_language() -> None:
    english = ocr.recognise(page(ENGLISH), 60)
    hebrew = ocr.recognise(page(HEBREW, leftwards=True), 60)
    assert english is not None
    assert hebrew is not None
    assert (english.languages, english.is_telling) == (("eng",), True)
    assert (hebrew.languages[0], hebrew.is_telling) == ("heb", True)


def test_a_page_in_another_language_than_its_file_is_still_read() -> None:
    read = ocr.recognise(page(ENGLISH), 60, 0, ("heb",))
    assert read is not None
    assert read.languages == ("eng",)
    assert read.words


def test_lines_the_engine_is_not_sure_of_are_left_out(tmp_path: Path) -> None:
    """A drawing is recognised as letters: circles with a stroke look like many letters."""
    image = page(ENGLISH)
    draw = ImageDraw.Draw(image)
    for k in range(12):
        draw.ellipse((200 + k * 100, 800, 260 + k * 100, 860), outline=0, width=4)
        draw.line((200 + k * 100, 800, 260 + k * 100, 860), fill=0, width=4)
    read = ocr.recognise(image, 60)
    assert read is not None
    assert read.words
    assert ocr.unsure_lines(read.words)
    image.save(tmp_path / "page.png")
    extracted = extract(tmp_path / "page.png", "page.png", Settings(_env_file=None))
    assert "northern plants" in extracted.text
    assert len(extracted.text.split()) == sum(len(line.split()) for line in ENGLISH)
    assert "English" in extracted.notes[0][0]
    assert "Hebrew" not in extracted.notes[0][0]


def test_what_the_first_telling_page_decides_is_kept_for_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The decision is stored in the file's folder, where other processes find it; a page with very few words decides
    nothing."""
    asked: list[tuple[str, ...]] = []
    telling = iter([False, True, True, True])

    def recognise(image: Any, seconds: float, nice: int = 0, languages: tuple[str, ...] = ()) -> Recognised:
        asked.append(tuple(languages))
        return Recognised(b"words", languages or ("deu",), next(telling))

    monkeypatch.setattr(ocr, "recognise", recognise)
    file, folder = tmp_path / "scan.pdf", tmp_path / "kept"
    file.write_bytes(b"%PDF")
    folder.mkdir()
    one = FileLanguages(folder)
    assert [one.recognise(file, None, 9) for _ in range(3)] == [b"words"] * 3
    assert (folder / language_file(file)).read_text() == "deu"
    FileLanguages(folder).recognise(file, None, 9)
    assert asked == [(), (), ("deu",), ("deu",)]


@pytest.fixture
def table() -> Callable[[list[tuple[int, int, str]]], str]:
    """Table of (line, confidence, word), each word 100 wide and 50 high."""
    return lambda words: "\n".join(
        ["head", *(f"5\t1\t1\t1\t{line}\t1\t300\t{line * 300}\t100\t50\t{sure}\t{word}" for line, sure, word in words)]
    )


def test_unsure_lines_are_told_by_their_place(table: Callable[[list[tuple[int, int, str]]], str]) -> None:
    tail = ocr._unsure_boxes(table([(1, 90, "sure"), (1, 30, "word"), (2, 40, "noise"), (2, 20, "noise")]), 3000)
    assert ocr.unsure_lines(b"%PDF" + tail) == [(72, 96, 564, 576)]
    assert ocr.unsure_lines(b"%PDF") == []
