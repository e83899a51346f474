"""Tests labels printed vertically centred on the rows that they belong to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extract.pdf_layout.merged_labels import filled
from core.library.tables.records import Table
from core.settings import Settings

PLANTS = [("Pumps", "120", "100"), ("Valves", "95", "80"), ("Pipes", "40", "39"), ("Taps", "12", "11")]


@pytest.fixture
def table_of(tmp_path: Path) -> Callable[[Callable[[Canvas], None]], Table]:
    def draw(on: Callable[[Canvas], None]) -> Table:
        canvas = Canvas(str(tmp_path / "made.pdf"))
        canvas.setFont("Helvetica", 10)
        on(canvas)
        canvas.save()
        extracted = extract(tmp_path / "made.pdf", "made.pdf", Settings(_env_file=None, ocr_enabled=False))
        return next(block.table for block in extracted.blocks if block.table)

    return draw


def row(canvas: Canvas, y: float, *texts: str) -> None:
    for x, text in zip((76, 176, 324, 404), texts, strict=True):
        canvas.drawString(x, y, text)


def read(table: Table) -> list[tuple[str, str]]:
    return [(each.label, each.cells[0].text) for each in table.rows]


def test_without_rules_the_rows_above_and_under_a_label_are_its_own(
    table_of: Callable[[Callable[[Canvas], None]], Table],
) -> None:
    def draw(canvas: Canvas) -> None:
        row(canvas, 700, "Region", "Product", "2025", "2024")
        y = 684.0
        for region in ("North", "South"):
            for at, figures in enumerate(PLANTS[:3]):
                row(canvas, y - 14 * at, "", *figures)
            canvas.drawString(76, y - 14, region)
            y -= 14 * 3

    products = [product for product, *_ in PLANTS[:3]]
    assert read(table_of(draw)) == [(region, product) for region in ("North", "South") for product in products]


def test_with_rules_a_cell_without_one_is_merged(table_of: Callable[[Callable[[Canvas], None]], Table]) -> None:
    def draw(canvas: Canvas) -> None:
        for y in (712, 690, 668, 646, 624, 602):
            canvas.line(72 if y not in (668, 646) else 172, y, 460, y)
        for x in (72, 172, 320, 400, 460):
            canvas.line(x, 602, x, 712)
        row(canvas, 698, "Region", "Product", "2025", "2024")
        for at, figures in enumerate(PLANTS):
            row(canvas, 676 - 22 * at, {1: "North", 3: "South"}.get(at, ""), *figures)

    assert read(table_of(draw)) == [("North", "Pumps"), ("North", "Valves"), ("North", "Pipes"), ("South", "Taps")]


def test_a_figure_is_not_put_on_other_rows() -> None:
    assert filled([["", "a"], ["40", "b"]], [True]) == [["", "a"], ["40", "b"]]
