"""Tests forms: labels next to their values, in one or more columns, with and without ruled lines."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.library.extracted import Extracted

Draw = Callable[[Canvas], None]
LEFT = [
    ("Site:", "Chevroux"),
    ("Wind:", "3 knots"),
    ("Investigator In", ""),
    ("Charge (IIC):", "J. Kaiser"),
    ("Age:", ""),
]
RIGHT = [
    ("Number:", "DEN08WA042"),
    ("Damage:", "Destroyed"),
    ("", ""),
    ("Fire:", "On ground"),
    ("Injuries:", "1 fatal"),
]
READ = [
    "Site: Chevroux", "Number: DEN08WA042", "Wind: 3 knots", "Damage: Destroyed",
    "Investigator In Charge (IIC): J. Kaiser", "Fire: On ground", "Age:", "Injuries: 1 fatal",
]  # fmt: skip


def put(canvas: Canvas, x: float, y: float, text: str, bold: bool = False) -> None:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", 9)
    canvas.drawString(x, y, text)


def texts(extracted: Extracted) -> list[str]:
    return [block.text for block in extracted.blocks]


@pytest.mark.parametrize("by_column", [False, True])
def test_each_label_is_read_with_its_value(drawn: Callable[[Draw], Extracted], by_column: bool) -> None:
    """The result is the same if the file lists fields row by row and if it lists all labels before all values."""

    def form(canvas: Canvas) -> None:
        cells = [
            (x, 700 - 11 * row, text, x in (54, 320))
            for row, pairs in enumerate(zip(LEFT, RIGHT, strict=True))
            for x, text in zip((54, 200, 320, 450), (part for pair in pairs for part in pair), strict=True)
        ]
        for x, y, text, bold in sorted(cells) if by_column else cells:
            put(canvas, x, y, text, bold)

    assert sorted(texts(drawn(form))) == sorted(READ)
    assert texts(drawn(form))[:2] == READ[:2]


def test_a_ruled_form_is_read_as_labels_with_values(drawn: Callable[[Draw], Extracted]) -> None:
    rows = [
        ("Name", "Orlan Ltd", "Seat", "Haifa"),
        ("Trade", "Fittings", "Founded in", "May 1987"),
        ("Owner", "R. Levi", "Staff", "35"),
    ]

    def form(canvas: Canvas) -> None:
        for at in range(4):
            canvas.line(50, 712 - 20 * at, 500, 712 - 20 * at)
        for x in (50, 150, 280, 380, 500):
            canvas.line(x, 652, x, 712)
        for at, row in enumerate(rows):
            for column, (x, text) in enumerate(zip((54, 154, 284, 384), row, strict=True)):
                put(canvas, x, 698 - 20 * at, f"{text}:" if column % 2 == 0 else text, column % 2 == 0)

    assert texts(drawn(form))[:3] == ["Name: Orlan Ltd", "Seat: Haifa", "Trade: Fittings"]


def test_what_only_looks_like_a_form_is_left(drawn: Callable[[Draw], Extracted]) -> None:
    """Figures under a heading are a table, not a form; a heading in the margin next to running text is not a label with
    a value."""

    def page(canvas: Canvas) -> None:
        put(canvas, 300, 732, "2025")
        put(canvas, 400, 732, "2024")
        for row, (label, one, two) in enumerate(
            (("Sales:", "512", "498"), ("Costs:", "300", "310"), ("Profit:", "212", "188"))
        ):
            for x, text in ((54, label), (300, one), (400, two)):
                put(canvas, x, 718 - 14 * row, text)
        for number in range(12):
            put(
                canvas,
                200,
                600 - 11 * number,
                f"line {number} of a text that goes on and on over the whole of the column",
            )
        for number in (1, 5, 9):
            put(canvas, 54, 600 - 11 * number, f"Note {number}:", bold=True)

    extracted = drawn(page)
    table = next(block.table for block in extracted.blocks if block.table)
    assert [cell.value for cell in table.rows[0].cells] == [512, 498]
    assert not any(text.startswith("Note 1: line") for text in texts(extracted))
