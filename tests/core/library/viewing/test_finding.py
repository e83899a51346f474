"""Tests that a quote is located on a page: the test pages show the quoted text in red, so the picture itself shows
whether the right place was found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.pagesizes import letter
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from core.library.viewing.finding import find
from core.library.viewing.orders import Find, Found, PrintedCell
from core.library.viewing.pictures import Pages
from core.library.viewing.records import Rectangle

WIDTH = 1000
HEBREW = Path("/usr/share/fonts/truetype/noto/NotoSansHebrew-Regular.ttf")
FILLER = "Nothing of what stands in this line is meant by anybody."

Drawn = Callable[[Canvas], None]


@pytest.fixture
def pages(tmp_path: Path) -> Callable[..., Pages]:
    """Pages drawn by functions; Helvetica at 12 points is set."""

    def make(*drawings: Drawn, **page: object) -> Pages:
        canvas = Canvas(str(tmp_path / "made.pdf"), pagesize=letter)
        for draw in drawings:
            canvas.setFont("Helvetica", 12)
            if "rotation" in page:
                canvas.setPageRotation(page["rotation"])
            if "crop" in page:
                canvas.setCropBox(page["crop"])
            draw(canvas)
            canvas.showPage()
        canvas.save()
        return Pages(tmp_path / "made.pdf")

    return make


def red(canvas: Canvas, x: float, y: float, text: str) -> None:
    canvas.setFillColorRGB(1, 0, 0)
    canvas.drawString(x, y, text)
    canvas.setFillColorRGB(0, 0, 0)


def found(pages: Pages, quote: str, passage: str = "", *, numbers: tuple[int, ...] = (1,)) -> Found:
    order = Find(path=Path("made.pdf"), pages=list(numbers), passage=passage, quotes=[quote])
    return find(pages, order)


def inked(pages: Pages, folder: Path, number: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Which pixels of the picture are red, and which are black."""
    pages.draw(number, WIDTH, folder / "page.webp")
    dots = np.asarray(Image.open(folder / "page.webp").convert("RGB")).astype(int)
    is_red = (dots[..., 0] > 180) & (dots[..., 1] < 110) & (dots[..., 2] < 110)
    return is_red, dots.max(axis=2) < 90


def covered(shape: tuple[int, ...], boxes: list[Rectangle]) -> np.ndarray:
    inside = np.zeros(shape, bool)
    height, width = shape
    for left, top, across, down in boxes:
        inside[
            int(top * height) : round((top + down) * height) + 1, int(left * width) : round((left + across) * width) + 1
        ] = True
    return inside


def assert_marks_the_red(pages: Pages, folder: Path, result: Found, number: int = 1) -> None:
    boxes = result.marks[number].quote
    is_red, is_black = inked(pages, folder, number)
    inside = covered(is_red.shape, boxes)
    assert is_red.sum() > 100
    assert (is_red & inside).sum() >= 0.97 * is_red.sum()
    assert (is_black & inside).sum() <= 0.03 * is_black.sum()


def test_a_quote_over_two_lines_with_a_hyphen_is_one_rectangle_a_line(
    pages: Callable[..., Pages], tmp_path: Path
) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 720, FILLER)
        red(canvas, 72, 690, "The operating commit-")
        red(canvas, 72, 672, "tee met in \u201cMarch\u201d of that year.")
        canvas.drawString(72, 640, FILLER)

    made = pages(draw)
    result = found(made, 'The operating committee met in "March" of that year.')
    assert result.quote_found
    assert len(result.marks[1].quote) == 2
    assert_marks_the_red(made, tmp_path, result)


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_is_turned(pages: Callable[..., Pages], tmp_path: Path, rotation: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 720, FILLER)
        red(canvas, 100, 500, "Net sales were 4,862 million.")
        canvas.drawString(72, 300, FILLER)

    made = pages(draw, rotation=rotation)
    assert_marks_the_red(made, tmp_path, found(made, "Net sales were 4,862 million."))


def test_a_page_that_is_cropped(pages: Callable[..., Pages], tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        red(canvas, 150, 500, "Net sales were 4,862 million.")
        canvas.drawString(150, 300, FILLER)

    made = pages(draw, crop=(100, 200, 500, 600))
    assert made.anatomy().sizes == [(400.0, 400.0)]
    assert_marks_the_red(made, tmp_path, found(made, "Net sales were 4,862 million."))


def test_a_row_whose_cells_are_joined_by_bars(pages: Callable[..., Pages], tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for y, label, cells in ((600, "Net sales", ("32,765", "31,657")), (560, "Net income", ("5,349", "4,858"))):
            for x, text in zip((72, 350, 450), (label, *cells), strict=True):
                (red if y == 600 else Canvas.drawString)(canvas, x, y, text)

    made = pages(draw)
    result = found(made, "Net sales | $ | 32,765 | $ | 31,657")
    assert_marks_the_red(made, tmp_path, result)
    assert len(result.marks[1].quote) == 1


def test_a_bracket_belongs_to_its_number(pages: Callable[..., Pages], tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 600, "Purchases")
        red(canvas, 300, 600, "(1,577)")

    made = pages(draw)
    assert_marks_the_red(made, tmp_path, found(made, "1,577"))


def test_a_number_is_not_found_inside_another(pages: Callable[..., Pages], tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 600, "In all 21,577 and 1,577,000 were counted.")
        red(canvas, 72, 560, "1,577")

    made = pages(draw)
    assert_marks_the_red(made, tmp_path, found(made, "1,577"))


def test_of_two_like_sentences_the_one_in_the_passage_is_meant(pages: Callable[..., Pages], tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "In the first year: the fee is paid at once.")
        canvas.drawString(72, 600, "In the second year:")
        red(canvas, 200, 600, "the fee is paid at once.")

    made = pages(draw)
    result = found(made, "the fee is paid at once.", "In the second year: the fee is paid at once.")
    assert_marks_the_red(made, tmp_path, result)
    assert len(result.marks[1].passage) == 1


@pytest.mark.skipif(not HEBREW.exists(), reason="no Hebrew font")
@pytest.mark.parametrize("shown", [True, False])
def test_right_to_left_lines(pages: Callable[..., Pages], tmp_path: Path, shown: bool) -> None:
    """Right-to-left text is drawn in visual order, or letter by letter in reading order."""
    registerFont(TTFont("Hebrew", str(HEBREW)))
    first, second = "לינה במלון בחיפה מוחזרת עד חמש מאות", "ושישים שקלים ללילה ולא יותר מכך"

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Hebrew", 12)
        canvas.setFillColorRGB(1, 0, 0)
        for y, text in ((600, first), (580, second)):
            if shown:
                canvas.drawRightString(500, y, text[::-1])
            else:
                x = 500.0
                for character in text:
                    x -= canvas.stringWidth(character, "Hebrew", 12)
                    canvas.drawString(x, y, character)
        canvas.setFillColorRGB(0, 0, 0)
        canvas.drawRightString(500, 500, "דבר אחר לגמרי שאין לו כל קשר לעניין"[::-1])

    made = pages(draw)
    result = found(made, f"{first} {second}.")
    assert_marks_the_red(made, tmp_path, result)
    assert len(result.marks[1].quote) == 2


def test_a_passage_over_two_pages_is_marked_on_both(pages: Callable[..., Pages]) -> None:
    made = pages(
        lambda canvas: canvas.drawString(72, 80, "The contract ends when either side gives"),
        lambda canvas: canvas.drawString(72, 720, "notice of ninety days in writing."),
    )
    passage = "The contract ends when either side gives notice of ninety days in writing."
    result = found(made, "notice of ninety days in writing.", passage, numbers=(1, 2))
    assert result.page == 2
    assert result.marks[1].passage
    assert not result.marks[1].quote
    assert result.marks[2].quote


def test_what_is_not_there_is_not_marked(pages: Callable[..., Pages]) -> None:
    made = pages(lambda canvas: canvas.drawString(72, 720, FILLER))
    result = found(
        made, "An elephant was seen at noon in the garden.", "It was said that an elephant was seen at noon."
    )
    assert (result.quote_found, result.passage_found, result.marks, result.page) == (False, False, {}, None)


def test_a_page_that_is_not_there(pages: Callable[..., Pages]) -> None:
    made = pages(lambda canvas: canvas.drawString(72, 720, FILLER))
    with pytest.raises(LookupError):
        found(made, "Nothing", numbers=(2,))


ROW = ("Net sales", "5,000", "5,000")


def row_with_a_red_cell(canvas: Canvas) -> None:
    """The second of two equal figures is the quoted one."""
    for x, text in zip((72, 350, 450), ROW, strict=True):
        (red if x == 450 else Canvas.drawString)(canvas, x, 600, text)
    canvas.drawString(450, 560, "5,000")


CELL_BOX = (448.0, 596.0, 482.0, 612.0)
ELSEWHERE = (0.0, 0.0, 30.0, 12.0)


@pytest.mark.parametrize(("box", "rotation"), [(CELL_BOX, 0), (CELL_BOX, 90), (ELSEWHERE, 0), (None, 0)])
def test_a_cell_of_a_row_is_found_by_its_box_or_else_by_its_text(
    pages: Callable[..., Pages], tmp_path: Path, box: tuple[float, ...] | None, rotation: int
) -> None:
    made = pages(row_with_a_red_cell, rotation=rotation)
    cell = PrintedCell(page=1, text="5,000", box=box, lead="Net sales 5,000")
    result = find(made, Find(path=Path("made.pdf"), pages=[1], passage="", quotes=[" ".join(ROW)], cell=cell))
    marked = result.marks[1]
    assert result.quote_found
    is_red, is_black = inked(made, tmp_path)
    inside = covered(is_red.shape, marked.cell)
    assert (is_red & inside).sum() >= 0.97 * is_red.sum()
    assert (is_black & inside).sum() == 0


def test_of_equal_figures_whose_order_the_text_layer_changed_none_is_marked(pages: Callable[..., Pages]) -> None:
    made = pages(row_with_a_red_cell, rotation=90)
    cell = PrintedCell(page=1, text="5,000", lead="Net sales 5,000")
    result = find(made, Find(path=Path("made.pdf"), pages=[1], passage="", quotes=[" ".join(ROW)], cell=cell))
    assert result.marks[1].cell == []


def test_a_cell_that_is_not_printed_there_is_not_marked(pages: Callable[..., Pages]) -> None:
    made = pages(row_with_a_red_cell)
    cell = PrintedCell(page=1, text="7,777", lead="Net sales")
    result = find(made, Find(path=Path("made.pdf"), pages=[1], passage="", quotes=[" ".join(ROW)], cell=cell))
    assert result.marks[1].cell == []
    assert result.marks[1].quote
