from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.library.extract import extract, ocr
from core.library.extracted import Extracted
from core.setting_groups import Limits
from core.settings import Settings

HEBREW = [
    "הישיבה נפתחה בשעה שמונה בבוקר בנוכחות כל חברי הוועדה הקבועים",
    "והמזכירה קראה את הפרוטוקול של הישיבה הקודמת במלואו לפני הדיון",
]


@pytest.fixture
def read_pdf(tmp_path: Path, settings: Settings) -> Callable[[Any], Extracted]:
    return lambda pdf: extract(pdf.save(tmp_path / "made.pdf"), "made.pdf", settings)


def test_two_producers_of_hebrew_give_the_same_text(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    """Letter by letter in reading order, and word by word in visual order: the page looks the same."""
    for number, line in enumerate(HEBREW):
        pdf.letters(550, 700 - 14 * number, line)
        pdf.words(550, 500 - 14 * number, line)
        pdf.text(550 - 5 * len(line), 300 - 14 * number, line[::-1])
    blocks = read_pdf(pdf).blocks
    assert [block.text for block in blocks] == [" ".join(HEBREW)] * 3


def test_numbers_and_latin_names_in_a_hebrew_line_keep_their_order(
    pdf: Any, read_pdf: Callable[[Any], Extracted]
) -> None:
    pdf.words(550, 700, HEBREW[0])
    pdf.text(200, 686, "15.3.2024 ךיראתב OpenAI GPT תרבח םע (50%) הקסע"[::1])
    assert read_pdf(pdf).blocks[0].text.endswith("עסקה (50%) עם חברת OpenAI GPT בתאריך 15.3.2024")


def test_the_mirrored_words_of_an_ocr_layer_are_read_in_order(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    text = "הסדרה עלתה לשידור ב-25 בדצמבר 2017 בערוץ Antena המקומי"
    pdf.mirrored(550, 700, text)
    assert read_pdf(pdf).text == text


def test_nikud_drawn_apart_returns_to_its_letters(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.letters(550, 700, HEBREW[0])
    pdf.letters(550, 686, "שלום")
    pdf.text(546, 686, "\u05b8")
    assert "שָלום" in read_pdf(pdf).text


def test_columns_are_read_one_after_the_other(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 780, "A title that spans the whole of the page and both of its columns of text here", 12)
    for number in range(12):
        pdf.text(50, 700 - 12 * number, f"left column line number {number:02} goes on to the")
        pdf.text(310, 700 - 12 * number, f"right column line number {number:02} goes on to the")
    text = read_pdf(pdf).text
    assert text.index("title") < text.index("left column line number 11") < text.index("right column line number 00")


def test_hebrew_columns_start_on_the_right(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for number in range(12):
        pdf.words(280, 700 - 12 * number, "הטור השמאלי ממשיך הלאה עוד שורה אחת")
        pdf.words(550, 700 - 12 * number, "הטור הימני ממשיך הלאה עוד שורה אחת")
    text = read_pdf(pdf).text
    assert text.rindex("הימני") < text.index("השמאלי")


def test_lines_become_paragraphs_and_pages_are_kept(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 780, "Annual report", 20, bold=True)
    pdf.text(50, 740, "The first paragraph goes over two lines and its second line has an inter-")
    pdf.text(50, 728, "rupted word in it, which must be made whole.")
    pdf.text(50, 700, "The second paragraph stands apart from it.")
    pdf.text(50, 680, "• one item")
    pdf.text(50, 668, "• another item")
    pdf.page()
    pdf.text(50, 740, "The second page.")
    extracted = read_pdf(pdf)
    assert [(block.kind, block.page) for block in extracted.blocks] == [
        ("heading", 1), (None, 1), (None, 1), ("list", 1), (None, 2),
    ]  # fmt: skip
    assert "an interrupted word" in extracted.blocks[1].text
    assert extracted.blocks[3].text == "• one item\n• another item"
    assert extracted.pages == 2


def test_a_sentence_broken_off_by_hand_goes_on(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    """If a line ends in the middle of a sentence and the next line starts with a figure, the sentence continues there;
    a line that ends a sentence does not continue."""
    pdf.text(50, 740, "Four samples were taken on 8 April at depths between one and two metres from the ground.")
    pdf.text(50, 728, "The site is large. The budget is")
    pdf.text(50, 716, "870 thousand crowns for the whole of the clean-up, as the council decided in its May session.")
    pdf.text(50, 704, "It ends here.")
    pdf.text(50, 692, "12 wells were drilled in the second year.")
    assert [block.text[-30:] for block in read_pdf(pdf).blocks] == [
        "in its May session. It ends here."[-30:],
        "were drilled in the second year."[-30:],
    ]


def test_a_ruled_table_keeps_its_cells(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for x in (50, 200, 300, 400):
        pdf.line(x, 600, x, 680)
    for y in (600, 640, 660, 680):
        pdf.line(50, y, 400, y)
    cells = [("City", "Sales", "Share"), ("Haifa", "1200", "25%")]
    for number, row in enumerate(cells):
        for x, cell in zip((55, 205, 305), row, strict=True):
            pdf.text(x, 666 - 20 * number, cell)
    for x, cell in ((55, "Tel Aviv"), (205, "3000"), (305, "75%"), (55, "and Jaffa")):
        pdf.text(x, 612 if cell == "and Jaffa" else 628, cell)
    (table,) = read_pdf(pdf).blocks
    assert (table.kind, table.header) == ("table", "City | Sales | Share")
    assert table.text == "Haifa | 1200 | 25%\nTel Aviv and Jaffa | 3000 | 75%"


def test_cells_under_each_other_are_a_table_without_lines(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 720, "The figures of the year follow in this table below, city by city and in full.")
    for number, row in enumerate([("City", "2022", "2023"), ("Haifa", "1,200", "1,350"), ("Eilat", "300", "410")]):
        for x, cell in zip((50, 220, 330), row, strict=True):
            pdf.text(x, 690 - 13 * number, cell)
    table = read_pdf(pdf).blocks[-1]
    assert table.kind == "table"
    assert f"{table.header}\n{table.text}" == "City | 2022 | 2023\nHaifa | 1,200 | 1,350\nEilat | 300 | 410"


def _page_of_text(pdf: Any, number: int, lines: int = 40) -> None:
    if number > 1:
        pdf.page()
    for line in range(lines):
        pdf.text(50, 740 - 16 * line, f"Line {'abcdefghij'[number]}{line} of what only this page has to say.")


def test_a_running_head_stays_once_and_page_numbers_become_labels(
    pdf: Any, read_pdf: Callable[[Any], Extracted]
) -> None:
    for number in range(1, 6):
        _page_of_text(pdf, number)
        pdf.text(50, 810, "Report of the committee")
        pdf.text(290, 30, f"{number + 6}")
    extracted = read_pdf(pdf)
    assert [block.page for block in extracted.blocks if "committee" in block.text] == [1]
    assert extracted.page_labels == ["7", "8", "9", "10", "11"]
    assert not any(block.text in extracted.page_labels for block in extracted.blocks)


def test_a_line_whose_figures_change_from_page_to_page_is_text(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for number, balance in enumerate((120, 4711, 87, 356, 2204), start=1):
        _page_of_text(pdf, number)
        pdf.text(50, 810, f"Account 12345 closing balance {balance}")
    text = read_pdf(pdf).text
    assert all(f"balance {balance}" in text for balance in (120, 4711, 87, 356, 2204))


def test_a_page_number_beside_a_head_counts_the_pages(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for number in range(1, 6):
        _page_of_text(pdf, number)
        pdf.text(50, 30, f"Yearly report of the society | F-{number + 1}")
    extracted = read_pdf(pdf)
    assert extracted.page_labels == ["F-2", "F-3", "F-4", "F-5", "F-6"]
    assert extracted.text.count("Yearly report") == 1


def test_never_is_all_the_text_of_a_page_left_out(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for number in range(1, 8):
        if number == 4:
            pdf.page()
        else:
            _page_of_text(pdf, number)
        pdf.text(50, 810, "Report of the committee")
    assert [block.page for block in read_pdf(pdf).blocks if "committee" in block.text] == [1, 4]


def test_heads_are_left_out_only_up_to_three_lines_in_a_hundred(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    for number in range(1, 6):
        _page_of_text(pdf, number, lines=6)
        pdf.text(50, 810, "Report of the committee")
    assert read_pdf(pdf).text.count("committee") == 5


def test_sideways_text_is_read_after_the_page(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 700, "The text of the page is written upright as usual.")
    pdf.turned(30, 300, "sideways stamp")
    assert read_pdf(pdf).blocks[-1].text == "sideways stamp"


def test_a_page_turned_as_a_whole_is_read_upright(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.turned(100, 100, "The first line of a wide page that lies on its side")
    pdf.turned(112, 100, "and the second line of it that goes with the first")
    assert read_pdf(pdf).text == (
        "The first line of a wide page that lies on its side and the second line of it that goes with the first"
    )


def test_metadata_is_taken_unless_it_is_a_file_name(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 700, "Some text.")
    pdf.info = "/Title (Microsoft Word - draft7.docx) /Author (Dana Levi) /CreationDate (D:20240517101500Z)"
    extracted = read_pdf(pdf)
    assert (extracted.title, extracted.author, extracted.created) == (None, "Dana Levi", "2024-05-17")


def test_pages_and_characters_are_limited(pdf: Any, tmp_path: Path) -> None:
    for number in range(4):
        pdf.text(50, 700, f"page {number} says this and that")
        pdf.page()
    path = pdf.save(tmp_path / "long.pdf")
    few = extract(path, "long.pdf", Settings(_env_file=None, ocr_enabled=False, limits=Limits(document_pages=2)))
    assert {block.page for block in few.blocks} == {1, 2}
    assert "first 2 of 5 pages" in few.notes[0][0]
    short = extract(
        path, "long.pdf", Settings(_env_file=None, ocr_enabled=False, limits=Limits(extracted_characters=30))
    )
    assert sum(len(block.text) for block in short.blocks) <= 30
    assert any("30 characters" in note[0] for note in short.notes)


def test_progress_is_told_page_by_page(pdf: Any, tmp_path: Path, settings: Settings) -> None:
    pdf.text(50, 700, "one")
    pdf.page()
    pdf.text(50, 700, "two")
    told: list[tuple[int, int]] = []
    extract(pdf.save(tmp_path / "a.pdf"), "a.pdf", settings, lambda done, total: told.append((done, total)))
    assert told == [(1, 2), (2, 2)]


def test_a_scanned_page_among_others_is_named(pdf: Any, read_pdf: Callable[[Any], Extracted]) -> None:
    pdf.text(50, 700, "This page has text of its own.")
    pdf.page()
    pdf.picture()
    assert "scans and were not read" in read_pdf(pdf).notes[0][0]
    assert read_pdf(pdf).notes[0][0].endswith(": 2.")


def test_a_dense_page_is_read_in_bounded_time(
    pdf: Any, read_pdf: Callable[[Any], Extracted], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.library.extract.pdf_layout.characters.MOST_CHARACTERS", 20)
    pdf.text(50, 700, "A page with more letters than may be laid out by place.")
    assert "laid out by place" in read_pdf(pdf).text


@pytest.mark.skipif(not ocr.is_available(Settings(_env_file=None)), reason="tesseract is not installed")
@pytest.mark.parametrize("turned", [0, 90])
def test_a_scan_is_read_by_the_engine(pdf: Any, tmp_path: Path, turned: int) -> None:
    import pypdfium2

    for number in range(6):
        pdf.text(60, 700 - 24 * number, "The committee approved the budget of the library today", 16)
    image = _drawn(pypdfium2.PdfDocument(pdf.save(tmp_path / "text.pdf"))[0], pdf)
    image.rotate(turned, expand=True).save(tmp_path / "scan.pdf", resolution=150)
    extracted = extract(tmp_path / "scan.pdf", "scan.pdf", Settings(_env_file=None))
    assert "committee approved the budget" in extracted.text
    assert "OCR" in extracted.notes[0][0]


def _drawn(page: Any, pdf: Any) -> Any:
    """Draws the text again as a picture of a scan: the test PDF's character codes differ from the characters that it
    shows."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (1240, 1754), 255)
    font = ImageFont.load_default(34)
    for number in range(6):
        ImageDraw.Draw(image).text(
            (100, 200 + 60 * number), "The committee approved the budget of the library", 0, font
        )
    return image


def test_words_the_engine_is_not_sure_of_are_noise() -> None:
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    rows = [(-1, ""), (90, "sure"), (30, "noise"), (95, " ")]
    table = head + "\n".join("5\t1\t1\t1\t1\t1\t0\t0\t9\t9\t" + f"{sure}\t{word}" for sure, word in rows)
    assert ocr.confidence(table) == 60.0
    assert ocr.confidence(head) == 0.0


def test_an_engine_that_fails_leaves_a_clear_message(pdf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda settings: True)
    monkeypatch.setattr(ocr, "recognise", lambda *given: None)
    pdf.picture()
    with pytest.raises(PalimpsestError) as caught:
        extract(pdf.save(tmp_path / "scan.pdf"), "scan.pdf", Settings(_env_file=None))
    assert "No text could be recognised" in caught.value.problem.what.en
