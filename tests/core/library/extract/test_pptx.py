"""Slides, made by the tests themselves."""

from __future__ import annotations

import io
from collections.abc import Callable

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from core.errors import PalimpsestError
from core.library.extracted import Block, Extracted

Read = Callable[[str, bytes | str], Extracted]


def _bytes(presentation: pptx.presentation.Presentation) -> bytes:
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def _box(slide: object, left: float, top: float, text: str) -> None:
    box = slide.shapes.add_textbox(Inches(left), Inches(top), Inches(3), Inches(1))  # type: ignore[attr-defined]
    box.text_frame.text = text


@pytest.fixture
def deck() -> pptx.presentation.Presentation:
    made = pptx.Presentation()
    made.core_properties.title = "Review of the year"
    made.core_properties.author = "Dana Levi"
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Water in 2024"
    body = slide.placeholders[1].text_frame
    body.text = "Reservoirs are full"
    body.add_paragraph().text = "Hadar holds 560"
    body.paragraphs[1].level = 1
    slide.notes_slide.notes_text_frame.text = "Say that the winter was long."
    return made


def test_a_slide_is_a_page_with_its_title_its_list_and_its_notes(read: Read, deck) -> None:
    extracted = read("deck.pptx", _bytes(deck))
    assert extracted.blocks == [
        Block(text="Water in 2024", kind="heading", level=1, page=1),
        Block(text="- Reservoirs are full\n  - Hadar holds 560", kind="list", page=1),
        Block(text="Notes: Say that the winter was long.", kind="paragraph", page=1),
    ]
    assert (extracted.title, extracted.author, extracted.pages) == ("Review of the year", "Dana Levi", 1)
    assert "presentationml" in extracted.mime


def test_boxes_are_read_from_top_to_bottom_and_from_left_to_right(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    for left, top, text in ((5, 1.1, "right"), (1, 4, "below"), (1, 1.2, "left"), (1, 0.2, "above")):
        _box(slide, left, top, text)
    texts = [block.text for block in read("deck.pptx", _bytes(deck)).blocks if block.page == 2]
    assert texts == ["above", "left", "right", "below"]


def test_what_is_in_groups_is_read(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    outer = slide.shapes.add_group_shape()
    inner = outer.shapes.add_group_shape()
    inner.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1)).text_frame.text = "deep inside"
    assert "deep inside" in read("deck.pptx", _bytes(deck)).text


def test_tables_keep_their_headings_and_fill_merged_cells(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for r, row in enumerate((("Region", "2023", "2024"), ("North", "10", "11"), ("", "12", "13"))):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    (block,) = [block for block in read("deck.pptx", _bytes(deck)).blocks if block.kind == "table"]
    assert (block.page, block.header) == (2, "Region | 2023 | 2024")
    assert block.text.splitlines() == ["North | 10 | 11", "North | 12 | 13"]


def test_the_figures_of_a_chart_are_a_table(read: Read, deck) -> None:
    data = CategoryChartData()
    data.categories = ["Haifa", "Eilat"]
    data.add_series("Spend", (560, 720.5))
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(5), Inches(3), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Spend by city"
    title, table = [block for block in read("deck.pptx", _bytes(deck)).blocks if block.page == 2]
    assert title.text == "Spend by city"
    assert table.text.splitlines() == ["Haifa | 560", "Eilat | 720.5"]
    assert "Spend" in (table.header or "")


def test_a_slide_that_is_a_picture_is_said(read: Read, deck, picture: bytes) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_picture(io.BytesIO(picture), 0, 0)
    (note,) = read("deck.pptx", _bytes(deck)).notes
    assert "not read: 2." in note[0]


def test_hebrew_slides(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "מאגרי מים"
    assert Block(text="מאגרי מים", kind="heading", level=1, page=2) in read("deck.pptx", _bytes(deck)).blocks


def test_only_so_many_slides(read: Read, deck, settings) -> None:
    settings.limits.document_pages = 2
    for number in range(3):
        _box(deck.slides.add_slide(deck.slide_layouts[6]), 1, 1, f"slide {number}")
    extracted = read("deck.pptx", _bytes(deck))
    assert max(block.page or 0 for block in extracted.blocks) == 2
    assert extracted.pages == 4
    assert "first 2 of 4" in extracted.notes[0][0]


@pytest.mark.parametrize("part", ["ppt/presentation.xml", "ppt/slides/slide1.xml", "[Content_Types].xml"])
def test_a_broken_part_is_damage(read: Read, deck, repacked, part: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("deck.pptx", repacked(_bytes(deck), {part: b"<not-what-it-was/>"}))
    assert "damaged" in caught.value.problem.what.en
    assert "PPTX" in caught.value.problem.why.en
