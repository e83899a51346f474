"""Tests forms whose labels are marked only by their position, and tables that look like such forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings

Draw = Callable[[Canvas], None]
TENANT = [
    ("Name", "Ida Wallgren"), ("Born on", "03.11.1979"), ("Guarantor", ""), ("Trade", "Glazier"),
    ("Rent (month)", "1,240 EUR"),
]  # fmt: skip
FLAT = [
    ("Flat", "Third floor, left"), ("Area", "74 m2"), ("Rooms", "3"), ("Parking space", ""), ("Begins", "1 March 2026"),
]  # fmt: skip
READ_TENANT = ["Name: Ida Wallgren", "Born on: 03.11.1979", "Guarantor: —", "Trade: Glazier", "Rent (month): 1,240 EUR"]
READ_FLAT = [
    "Flat: Third floor, left", "Area: 74 m2", "Rooms: 3", "Parking space: —", "Begins: 1 March 2026",
]  # fmt: skip
XS = (60, 175, 320, 425)


@pytest.fixture
def drawn(tmp_path: Path) -> Callable[[Draw], Extracted]:
    def draw(on: Draw) -> Extracted:
        canvas = Canvas(str(tmp_path / "form.pdf"))
        on(canvas)
        put(canvas, 60, 400, "The keys are handed over on 28 February, and the flat was painted in the year before.")
        canvas.save()
        return extract(tmp_path / "form.pdf", "form.pdf", Settings(_env_file=None, ocr_enabled=False))

    return draw


def put(canvas: Canvas, x: float, y: float, text: str, bold: bool = False) -> None:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", 10)
    canvas.drawString(x, y, text)


def rows(canvas: Canvas, xs: Sequence[float], cells: Sequence[Sequence[str]], bold: Sequence[bool] = ()) -> None:
    """Returns rows from the top of the page (y = 706) downwards, twenty points apart."""
    for at, row in enumerate(cells):
        for x, text in zip(xs, row, strict=True):
            put(canvas, x, 706 - 20 * at, text, bool(bold) and bold[at])


def lines(extracted: Extracted) -> list[str]:
    assert not any(block.kind == "table" for block in extracted.blocks)
    return [block.text for block in extracted.blocks][:-1]


@pytest.mark.parametrize("ruled", ["not", "level", "all"])
def test_blocks_are_read_one_after_another_under_their_headings(drawn: Callable[[Draw], Extracted], ruled: str) -> None:
    def form(canvas: Canvas) -> None:
        put(canvas, 60, 726, "Tenant", True)
        put(canvas, 320, 726, "Dwelling", True)
        rows(canvas, XS, [(*one, *two) for one, two in zip(TENANT, FLAT, strict=True)])
        for at in range(7 if ruled != "not" else 0):
            canvas.line(55, 740 - 20 * at, 300 if ruled == "level" else 545, 740 - 20 * at)
            canvas.line(315, 740 - 20 * at, 545, 740 - 20 * at)
        for x, top in ((55, 740), (170, 720), (315, 740), (420, 720), (545, 740)) if ruled == "all" else ():
            canvas.line(x, 620, x, top)

    assert lines(drawn(form)) == ["Tenant", *READ_TENANT, "Dwelling", *READ_FLAT]


def test_blocks_without_headings_are_read_row_by_row(drawn: Callable[[Draw], Extracted]) -> None:
    def form(canvas: Canvas) -> None:
        rows(canvas, XS, [(*one, *two) for one, two in zip(TENANT, FLAT, strict=True)])

    assert lines(drawn(form)) == [line for pair in zip(READ_TENANT, READ_FLAT, strict=True) for line in pair]


def test_lines_of_a_label_or_a_value_are_one(drawn: Callable[[Draw], Extracted]) -> None:
    """A value continues under its first line or is centred on its label; amounts are right-aligned."""

    def form(canvas: Canvas) -> None:
        put(canvas, 60, 706, "Vessel")
        put(canvas, 220, 706, "Gullwing III")
        put(canvas, 60, 680, "Address")
        put(canvas, 220, 686, "The Old Maltings,")
        put(canvas, 220, 674, "Quay Street")
        put(canvas, 60, 652, "Agent")
        put(canvas, 60, 630, "Country of residence")
        put(canvas, 60, 618, "and of tax")
        put(canvas, 220, 630, "Norway")
        put(canvas, 60, 596, "Fee")
        put(canvas, 220, 596, "455 EUR")
        put(canvas, 60, 574, "Terms")
        put(canvas, 220, 574, "No fires on deck,")
        put(canvas, 220, 562, "no washing of sails")
        put(canvas, 60, 540, "Paid on")
        put(canvas, 220, 540, "3 March 2026")

    assert lines(drawn(form)) == [
        "Vessel: Gullwing III", "Address: The Old Maltings, Quay Street", "Agent: —",
        "Country of residence and of tax: Norway", "Fee: 455 EUR", "Terms: No fires on deck, no washing of sails",
        "Paid on: 3 March 2026",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("xs", "cells"),
    [
        ((60, 220), [("Figure", "2025"), ("Sales", "EUR 5 million"), ("Growth", "4.1 %"), ("Seat", "Oslo")]),
        (
            (60, 180, 320, 440),
            [("Phase", "Begin", "Builder", "Cost"), ("Roof", "4 May 2026", "Brandt", "48,900"),
             ("Wall", "8 June 2026", "Olsen", "12,300"), ("Paint", "2 July 2026", "Holm", "n/a")],
        ),
    ],
)  # fmt: skip
def test_a_table_stays_one(
    drawn: Callable[[Draw], Extracted], xs: Sequence[float], cells: Sequence[Sequence[str]]
) -> None:
    def table(canvas: Canvas) -> None:
        rows(canvas, xs, cells, [True, *(False for _ in cells[1:])])

    (found,) = [block.table for block in drawn(table).blocks if block.kind == "table"]
    assert found is not None
    assert len(found.rows) == len(cells) - 1
