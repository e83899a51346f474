"""Tests designed pages: large figures, each with a caption, are not a table."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings

FIGURES = [("4,512", "Revenue in", "USD million"), ("38%", "Gross margin", ""), ("1,204", "People employed", "in May")]


@pytest.fixture
def canvas(tmp_path: Path) -> Canvas:
    return Canvas(str(tmp_path / "made.pdf"))


def read(canvas: Canvas, tmp_path: Path) -> Extracted:
    canvas.save()
    return extract(tmp_path / "made.pdf", "made.pdf", Settings(_env_file=None, ocr_enabled=False))


@pytest.mark.parametrize("boxed", [False, True])
@pytest.mark.parametrize("below", [False, True])
def test_each_figure_is_read_with_its_caption(canvas: Canvas, tmp_path: Path, boxed: bool, below: bool) -> None:
    for at, (figure, *caption) in enumerate(FIGURES + FIGURES[::-1]):
        x, y = 60 + 170 * (at % 3), 700 - 130 * (at // 3)
        if boxed:
            canvas.rect(x - 8, y - 50, 150, 100)
        canvas.setFont("Helvetica-Bold", 28)
        canvas.drawString(x, y, figure)
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate(caption):
            canvas.drawString(x, y + (-18 - 13 * number if below else 42 - 13 * number), line)
    texts = [block.text for block in read(canvas, tmp_path).blocks]
    expected = [" ".join(part for part in parts if part) for parts in FIGURES]
    assert texts == expected + expected[::-1]


def test_a_table_in_large_type_stays_one(canvas: Canvas, tmp_path: Path) -> None:
    canvas.setFont("Helvetica", 20)
    for at, row in enumerate((("USD million", "2025", "2024"), ("Revenue", "4,512", "4,130"), ("Profit", "38", "21"))):
        for x, text in zip((60, 260, 400), row, strict=True):
            canvas.drawString(x, 700 - 30 * at, text)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(60, 610, "Figures of the group, not audited")
    table = read(canvas, tmp_path).blocks[0].table
    assert table is not None
    assert [cell.value for cell in table.rows[0].cells] == [4512, 4130]
