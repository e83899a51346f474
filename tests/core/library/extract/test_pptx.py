"""Tests slides made by the tests."""

from __future__ import annotations

import io
from collections.abc import Callable

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
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


@pytest.mark.parametrize("part", ["ppt/presentation.xml", "ppt/slides/slide1.xml"])
def test_a_broken_part_is_damage(read: Read, deck, repacked, part: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("deck.pptx", repacked(_bytes(deck), {part: b"<not-what-it-was/>"}))
    assert "damaged" in caught.value.problem.what.en
    assert "PPTX" in caught.value.problem.why.en


def _run(text: str, baseline: int = 0) -> str:
    properties = f'<a:rPr baseline="{baseline}"/>' if baseline else ""
    return f"<a:r>{properties}<a:t>{text}</a:t></a:r>"


def test_what_is_raised_joins_no_number(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1))
    inner = _run("38") + _run("2", 30000) + _run(" t of CO") + _run("2", -25000)
    box.text_frame._txBody.append(parse_xml(f"<a:p {nsdecls('a')}>{inner}</a:p>"))
    assert "38² t of CO₂" in read("deck.pptx", _bytes(deck)).text


def test_a_formula_of_a_shape_for_newer_programs_is_read(read: Read, deck) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(0, 0, Inches(3), Inches(1))
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = "<m:sSup><m:e><m:r><a:t>r</a:t></m:r></m:e><m:sup><m:r><a:t>2</a:t></m:r></m:sup></m:sSup>"
    box.text_frame._txBody.append(
        parse_xml(
            f"<a:p {nsdecls('a')} xmlns:m='{math}' xmlns:a14='http://schemas.microsoft.com/office/drawing/2010/main'>"
            f"<a14:m><m:oMath>{formula}</m:oMath></a14:m></a:p>"
        )
    )
    compatible = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    alternatives = parse_xml(f"<mc:AlternateContent xmlns:mc='{compatible}'><mc:Choice/></mc:AlternateContent>")
    box._element.addprevious(alternatives)
    alternatives[0].append(box._element)
    assert "r²" in read("deck.pptx", _bytes(deck)).text


def test_hidden_slides_and_boxes_are_left_out_and_said(read: Read, deck, settings) -> None:
    for text in ("open", "closed"):
        _box(deck.slides.add_slide(deck.slide_layouts[6]), 1, 1, text)
    deck.slides[2]._element.set("show", "0")
    _box(deck.slides[1], 1, 3, "covered")
    deck.slides[1].shapes[1]._element.nvSpPr.cNvPr.set("hidden", "1")
    extracted = read("deck.pptx", _bytes(deck))
    assert [block.text for block in extracted.blocks if block.page != 1] == ["open"]
    assert [note[0] for note in extracted.notes] == [
        "Hidden slides were not read: 3.",
        "Hidden boxes on these slides were not read: 2.",
    ]
    settings.reading = settings.reading.model_copy(update={"hidden": True})
    assert {"closed", "covered"} < {block.text for block in read("deck.pptx", _bytes(deck)).blocks}


def test_a_slide_that_is_broken_costs_no_other(read: Read, deck, repacked) -> None:
    _box(deck.slides.add_slide(deck.slide_layouts[6]), 1, 1, "second")
    _box(deck.slides.add_slide(deck.slide_layouts[6]), 1, 1, "third")
    extracted = read("deck.pptx", repacked(_bytes(deck), {"ppt/slides/slide2.xml": b"<not-what-it-was/>"}))
    assert extracted.blocks[-1].text == "third"
    assert extracted.notes[0][0] == "Some content on these slides could not be read: 2. Everything else was read."


def test_a_chart_that_is_broken_costs_no_slide(read: Read, deck, repacked) -> None:
    data = CategoryChartData()
    data.categories = ["Haifa"]
    data.add_series("Spend", (560,))
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    frame = slide.shapes.add_chart(XL_CHART_TYPE.PIE, Inches(1), Inches(1), Inches(5), Inches(3), data)
    _box(slide, 1, 5, "below")
    name = frame.chart.part.partname.lstrip("/")
    extracted = read("deck.pptx", repacked(_bytes(deck), {name: b"<c:chartSpace"}))
    assert extracted.blocks[-1].text == "below"
    assert any("Charts on these slides" in note[0] and note[0].endswith(": 2.") for note in extracted.notes)


OLDER = """<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"
 xmlns:p15="http://schemas.microsoft.com/office/powerpoint/2012/main">
<p:cm authorId="0" dt="2026-05-04T10:00:00" idx="1"><p:text>Use 11,400.</p:text></p:cm>
<p:cm authorId="0" dt="2026-05-05T10:00:00" idx="2"><p:text>Done.</p:text><p:extLst><p:ext><p15:threadingInfo>
<p15:parentCm authorId="0" idx="1"/></p15:threadingInfo></p:ext></p:extLst></p:cm></p:cmLst>"""
NEWER = """<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"
 xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"
 xmlns:ac="http://schemas.microsoft.com/office/drawing/2013/main/command">
<p188:cm authorId="0" created="2026-05-04T10:00:00"><ac:deMkLst><ac:spMk id="2"/></ac:deMkLst><p188:replyLst>
<p188:reply authorId="0" created="2026-05-05T10:00:00"><p188:txBody><a:p><a:r><a:t>Done.</a:t></a:r></a:p></p188:txBody>
</p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>Use 11,400.</a:t></a:r></a:p></p188:txBody></p188:cm>
</p188:cmLst>"""
AUTHORS = '<x:authors xmlns:x="urn:x"><x:author id="0" name="Dana"/></x:authors>'


@pytest.mark.parametrize(("comments", "on"), [(OLDER, ""), (NEWER, " on “Water in 2024”")])
def test_comments_follow_their_slide_with_replies(read: Read, deck, comments: str, on: str) -> None:
    for part, kind, xml in (
        (deck.slides[0].part, "comments", comments),
        (deck.part, "authors", AUTHORS),
    ):
        made = Part(PackURI(f"/ppt/{kind}/{kind}1.xml"), "application/xml", part.package, xml.encode())
        part.relate_to(made, f"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}")
    texts = [block.text for block in read("deck.pptx", _bytes(deck)).blocks]
    assert texts[2:] == [
        f"Comment by Dana (2026-05-04){on}: Use 11,400.\nReply by Dana (2026-05-05): Done.",
        "Notes: Say that the winter was long.",
    ]
