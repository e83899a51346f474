from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks.whole_words import words_held, words_of
from core.library.extracted import Block, Extracted
from core.library.tables.records import Column, Table

LINES = ["Effects of the long-term plan were felt by", "all members of the society in inter-", "rupted years."]


@pytest.fixture
def made(tmp_path: Path) -> Path:
    canvas = Canvas(str(tmp_path / "made.pdf"))
    for page in range(1, 6):
        canvas.drawString(50, 800, "Report of the society")
        for number, line in enumerate(LINES):
            canvas.drawString(50, 700 - 14 * number, line)
        canvas.drawString(50, 30, f"Page {page} of 5")
        canvas.showPage()
    canvas.save()
    return tmp_path / "made.pdf"


def extracted(text: str, head: bool = True) -> Extracted:
    pages = [f"{'Report of the society ' if head or page == 1 else ''}{text}" for page in range(1, 6)]
    return Extracted(
        blocks=[Block(text=text, page=page) for page, text in enumerate(pages, 1)],
        mime="application/pdf",
        page_labels=["1", "2", "3", "4", "5"],
    )


WHOLE = "Effects of the longterm plan were felt by all members of the society in interrupted years."


def test_hyphens_and_ligatures_are_joined_first() -> None:
    assert words_of("e\ufb00ects of the long-\nterm pl\u00e1n") == ["effects", "of", "the", "longterm", "plan"]


def test_whole_text_is_held_and_page_numbers_count_as_labels(made: Path) -> None:
    held = words_held(made, extracted(WHOLE))
    assert (held.held, held.dropped, held.numbers) == (1.0, 0.0, 5)


def test_glued_words_are_lost(made: Path) -> None:
    held = words_held(made, extracted(WHOLE.replace("of the", "ofthe")))
    assert held.held < 0.8
    assert (("of", "the"), 10) in held.lost


def test_running_heads_left_out_are_counted_and_not_held_against_it(made: Path) -> None:
    held = words_held(made, extracted(WHOLE, head=False))
    assert held.held == 1.0
    assert held.heads == [("report of the society", 4)]
    assert 0.1 < held.dropped < 0.25


def test_text_lost_at_the_foot_of_every_page_shows_in_what_is_left_out(made: Path) -> None:
    assert words_held(made, extracted("Effects of the longterm plan were felt by")).dropped > 0.2


def test_a_heading_broken_over_lines_is_held_word_by_word(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "table.pdf"))
    canvas.drawString(50, 714, "Stores open Stores closed")
    canvas.drawString(50, 700, "in spring in autumn")
    canvas.save()

    def held(*headings: str) -> float:
        table = Table(columns=[Column(header=[heading]) for heading in headings], rows=[])
        blocks = [Block(text="", header=" | ".join(headings), table=table, page=1)]
        return words_held(tmp_path / "table.pdf", Extracted(blocks=blocks, mime="application/pdf")).held

    assert held("Stores open in spring", "Stores closed in autumn") == 1.0
    assert held("Stores open in spring", "Stores closed in") < 0.8
