"""Tests letters that PDFium drops because they overlap an equal letter: the second "f" of an italic "Effect"."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.settings import Settings

TEXT = "Effect of the staff offices, of it"


def draw(path: Path, text: str, copies: int = 1) -> Path:
    """Draws each letter separately on a page that is scaled, as browsers print; ``copies`` make the letters bold."""
    canvas = Canvas(str(path / "made.pdf"))
    canvas.scale(0.6, 0.6)
    canvas.setFont("Times-Italic", 13)
    x = 100.0
    for letter in text:
        for copy in range(copies):
            canvas.drawString(x + 0.5 * copy, 900, letter)
        x += stringWidth(letter, "Times-Italic", 13)
    canvas.save()
    return path / "made.pdf"


def read(path: Path) -> str:
    return extract(path, path.name, Settings(_env_file=None, ocr_enabled=False)).text


def test_a_dropped_letter_is_restored_with_or_without_a_space_after_it(tmp_path: Path) -> None:
    path = draw(tmp_path, TEXT)
    dropped = pypdfium2.PdfDocument(path)[0].get_textpage().get_text_range()
    assert dropped == "Ef ect of the staf of ices, of it"
    assert read(path) == TEXT


@pytest.mark.parametrize("text", ["of ices", "of the roof if it", "If a shelf of it is full"])
def test_a_single_letter_stays_single(tmp_path: Path, text: str) -> None:
    assert read(draw(tmp_path, text)) == text


def test_a_letter_that_is_drawn_twice_to_look_bold_stays_single(tmp_path: Path) -> None:
    assert read(draw(tmp_path, "a roof of it", copies=2)) == "a roof of it"
