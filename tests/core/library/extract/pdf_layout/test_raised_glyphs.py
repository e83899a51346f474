"""Tests superscript and subscript text in PDFs as programs draw it: smaller, above or below the line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extracted import Extracted
from core.library.tables.cells import cell
from core.settings import Settings

Part = str | tuple[str, float, float]
"""Each piece is a text on the line, or (text, size, how far it is raised), with both numbers as fractions of the line's
type size."""


@pytest.fixture
def read(tmp_path: Path) -> Callable[[Callable[[Canvas], None]], Extracted]:
    def draw(on: Callable[[Canvas], None]) -> Extracted:
        canvas = Canvas(str(tmp_path / "made.pdf"))
        on(canvas)
        canvas.save()
        return extract(tmp_path / "made.pdf", "made.pdf", Settings(_env_file=None, ocr_enabled=False))

    return draw


def put(canvas: Canvas, x: float, y: float, *parts: Part, size: float = 10) -> float:
    for part in parts:
        text, share, rise = (part, 1.0, 0.0) if isinstance(part, str) else part
        canvas.setFont("Helvetica", size * share)
        canvas.drawString(x, y + rise * size, text)
        x += stringWidth(text, "Helvetica", size * share)
    return x


def mark(text: str) -> Part:
    return text, 0.6, 0.35


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (["Profit was 38", mark("2"), " and more"], "Profit was 38² and more"),
        (["It sold 4,512", mark("1"), ", and no more"], "It sold 4,512¹, and no more"),
        (["It sold 4,512", mark("(1)"), " of them"], "It sold 4,512 (1) of them"),
        (["It sold 4,512", mark("a"), " of them"], "It sold 4,512ᵃ of them"),
        (["It sold 4,512", mark("*"), " of them"], "It sold 4,512* of them"),
        (["A dose of 10", ("-3", 0.7, 0.3), " g on 5 m", ("2", 0.7, 0.3)], "A dose of 10⁻³ g on 5 m²"),
        (["The 1", mark("st"), " and the 22", mark("nd"), " of May"], "The 1st and the 22nd of May"),
        (["Cut 5", ("1", 0.6, 0.3), "/", ("2", 0.6, 0.0), " inches off"], "Cut 5 1/2 inches off"),
        (["Cut 5", ("3", 0.6, 0.4), ("4", 0.6, -0.1), " inches off"], "Cut 5 3/4 inches off"),
        (["Only ", ("$", 0.5, 0.35), "19", ("99", 0.5, 0.35), " today"], "Only $19.99 today"),
        (["Less CO", ("2", 0.7, -0.15), " was let out"], "Less CO₂ was let out"),
        (["P", ("ART", 0.8, 0.0), " 2 of the B", ("OOK", 0.8, 0.0), " of 2024"], "PART 2 of the BOOK of 2024"),
        ([mark("3"), "Before the impairment of goodwill"], "³ Before the impairment of goodwill"),
    ],
)
def test_size_and_baseline_tell_what_is_raised(
    read: Callable[[Callable[[Canvas], None]], Extracted], parts: list[Part], text: str
) -> None:
    assert read(lambda canvas: put(canvas, 72, 700, *parts) and None).text == text


def test_a_mark_in_a_table_joins_no_figure(read: Callable[[Callable[[Canvas], None]], Extracted]) -> None:
    """Also if the file writes the marks after all figures, and between ruled lines."""

    def draw(canvas: Canvas) -> None:
        rows = [("USD million", "2025", "2024"), ("Revenue", "4,512", "4,130"), ("Profit", "38", "21")]
        for top in (700, 400):
            for at, cells in enumerate(rows):
                for x, text in zip((76, 300, 400), cells, strict=True):
                    put(canvas, x, top - 18 * at, text)
            put(canvas, 300 + stringWidth("4,512", "Helvetica", 10), top - 18, mark("1"))
            put(canvas, 300 + stringWidth("38", "Helvetica", 10), top - 36, mark("(2)"))
        for y in (414, 396, 378, 360):
            canvas.line(72, y, 460, y)
        for x in (72, 290, 390, 460):
            canvas.line(x, 360, x, 414)

    tables = [block.table for block in read(draw).blocks if block.table]
    assert len(tables) == 2
    for table in tables:
        assert [row.cells[0].value for row in table.rows] == [4512, 38]


def test_small_type_next_to_a_large_figure_is_not_raised(
    read: Callable[[Callable[[Canvas], None]], Extracted],
) -> None:
    def draw(canvas: Canvas) -> None:
        end = put(canvas, 72, 700, "85%", size=30)
        put(canvas, end + 4, 712, "of 3 users in 2024 were")
        put(canvas, end + 4, 700, "from 12 lands")

    text = read(draw).text
    assert "of 3 users in 2024 were" in text
    assert "from 12 lands" in text


def test_raised_digits_are_no_part_of_a_figure() -> None:
    assert [cell(text).value for text in ("38²", "4,512¹⁾", "7ᵃ", "12%²")] == [38, 4512, 7, 12]
