"""Tests PDFs as programs make them, with real fonts: words without spaces, columns, headings, bookmarks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extract.pdf_layout.page_numerals import numerals
from core.library.extracted import Bookmark, Extracted
from core.settings import Settings

PROSE = "The committee of the society met again in the spring and heard what its members had to say of the year."
ITALIC, BOLD = "Times-Italic", "Times-Bold"


@pytest.fixture
def drawn(tmp_path: Path, settings: Settings) -> Callable[[Callable[[Canvas], None]], Extracted]:
    def draw(on: Callable[[Canvas], None]) -> Extracted:
        canvas = Canvas(str(tmp_path / "made.pdf"))
        on(canvas)
        canvas.save()
        return extract(tmp_path / "made.pdf", "made.pdf", settings)

    return draw


def line(canvas: Canvas, x: float, y: float, text: str, font: str = "Times-Roman", size: float = 10) -> float:
    """Draws a line and returns where it ends."""
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)
    return x + stringWidth(text, font, size)


def wrapped(canvas: Canvas, x: float, y: float, text: str, width: float) -> float:
    """Draws a paragraph and returns the height below it."""
    words: list[str] = []
    for word in [*text.split(), ""]:
        if words and (not word or stringWidth(" ".join([*words, word]), "Times-Roman", 10) > width):
            line(canvas, x, y, " ".join(words))
            words, y = [], y - 12
        words.append(word)
    return y


def unspaced(canvas: Canvas, x: float, y: float, text: str, font: str, size: float = 10, gap: float = 0.25) -> None:
    for word in text.split():
        x = line(canvas, x, y, word, font, size) + gap * size


@pytest.mark.parametrize("font", ["Times-Roman", ITALIC, "Helvetica"])
@pytest.mark.parametrize("gap", [0.22, 0.3])
def test_words_are_parted_where_the_file_draws_no_spaces(
    drawn: Callable[..., Extracted], font: str, gap: float
) -> None:
    text = "If current of the office staff of five offers half of it, effects follow."
    assert drawn(lambda canvas: unspaced(canvas, 50, 700, text, font, gap=gap)).text == text


def test_letters_drawn_one_by_one_make_words(drawn: Callable[..., Extracted]) -> None:
    text = "of five different effects"

    def on(canvas: Canvas) -> None:
        x = 50.0
        for letter in text:
            x = line(canvas, x, 700, letter) if letter != " " else x + 2.5

    assert drawn(on).text == text


def test_lines_of_columns_with_a_narrow_gutter_are_not_glued(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        wrapped(canvas, 50, 700, "alpha beta gamma delta epsilon " * 12, 200)
        wrapped(canvas, 258, 700, "one two three four five six seven " * 12, 200)

    words = drawn(on).text.split()
    assert words == ["alpha", "beta", "gamma", "delta", "epsilon"] * 12 + [
        "one", "two", "three", "four", "five", "six", "seven",
    ] * 12  # fmt: skip


def test_three_columns_are_read_one_after_the_other(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        for column, name in enumerate(("first", "second", "third")):
            wrapped(canvas, 40 + 180 * column, 700, f"{name} column says what it has to say " * 8, 160)

    text = drawn(on).text
    assert text.rindex("first") < text.index("second")
    assert text.rindex("second") < text.index("third")


def test_rows_of_a_table_with_long_labels_stay_rows(drawn: Callable[..., Extracted]) -> None:
    labels = ["Cash and cash equivalents held by the society", "Receivables from members, net of allowances"] * 4

    def on(canvas: Canvas) -> None:
        wrapped(canvas, 50, 760, PROSE, 480)
        for row, label in enumerate(labels):
            line(canvas, 50, 700 - 13 * row, label)
            for column in range(3):
                line(canvas, 330 + 70 * column, 700 - 13 * row, f"{row + 1},{column + 1}04")

    text = " ".join(drawn(on).text.replace("|", " ").split())
    assert all(f"{label} {row + 1},104 {row + 1},204" in text for row, label in enumerate(labels))


def headings(extracted: Extracted) -> list[tuple[int, str]]:
    return [(block.level, block.text) for block in extracted.blocks if block.kind == "heading"]


def test_levels_follow_size_then_capitals_then_weight_then_slant(drawn: Callable[..., Extracted]) -> None:
    heads = [
        ("Report of the society", BOLD, 20),
        ("The year in brief", BOLD, 14),
        ("WHAT THE MEMBERS SAID", "Times-Roman", 10),
        ("Members of long standing", BOLD, 10),
        ("Members from abroad", ITALIC, 10),
    ]

    def on(canvas: Canvas) -> None:
        y = 780.0
        for text, font, size in heads:
            line(canvas, 50, y, text, font, size)
            y = wrapped(canvas, 50, y - 16, PROSE * 3, 480) - 16

    found = headings(drawn(on))
    assert [text for _, text in found] == [text for text, _, _ in heads]
    levels = [level for level, _ in found]
    assert levels == sorted(set(levels))


def test_a_heading_on_two_lines_is_one(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        line(canvas, 50, 780, "How the society keeps and protects the books", BOLD, 24)
        line(canvas, 90, 752, "of its members", BOLD, 24)
        wrapped(canvas, 50, 700, PROSE * 4, 480)

    assert [text for _, text in headings(drawn(on))] == ["How the society keeps and protects the books of its members"]


def test_a_heading_run_into_its_paragraph_stands_apart(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        end = line(canvas, 50, 700, "Members abroad.", BOLD)
        line(canvas, end + 3, 700, "Those who live abroad pay what they paid in the year before it,")
        wrapped(canvas, 50, 688, PROSE * 3, 480)

    extracted = drawn(on)
    assert [text for _, text in headings(extracted)] == ["Members abroad."]
    assert extracted.text.startswith("Members abroad.\n\nThose who live abroad")


def test_bold_words_within_a_sentence_are_no_heading(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        end = line(canvas, 50, 700, "The society", BOLD)
        line(canvas, end + 3, 700, "pays what it owes at the end of each year and says so in its report,")
        wrapped(canvas, 50, 688, PROSE * 3, 480)

    assert headings(drawn(on)) == []


def test_a_caption_is_no_heading(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        line(canvas, 50, 740, "Figure 7. Members by year", BOLD)
        wrapped(canvas, 50, 700, PROSE * 3, 480)

    assert headings(drawn(on)) == []


def test_bookmarks_keep_their_levels_and_pages(drawn: Callable[..., Extracted]) -> None:
    def on(canvas: Canvas) -> None:
        for number, (title, level) in enumerate([("Part one", 0), ("Its first chapter", 1), ("Part two", 0)]):
            if number:
                canvas.showPage()
            line(canvas, 50, 700, PROSE)
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level)

    assert drawn(on).bookmarks == [
        Bookmark(title="Part one", level=1, page=1),
        Bookmark(title="Its first chapter", level=2, page=2),
        Bookmark(title="Part two", level=1, page=3),
    ]


@pytest.mark.parametrize(
    ("text", "label", "value"),
    [
        ("35", "35", 35),
        ("- 35 -", "35", 35),
        ("Page 3 of 10", "3", 3),
        ("עמוד 3 מתוך 5", "3", 3),
        ("iv", "iv", 4),
        ("F-12", "F-12", 12),
        ("7-45", "7-45", 45),
    ],
)
def test_a_lone_number_may_be_that_of_the_page(text: str, label: str, value: int) -> None:
    assert [(numeral.label, numeral.value, numeral.rest) for numeral in numerals(text)] == [(label, value, "")]


@pytest.mark.parametrize("text", ["mix", "civil", "1,204", "12.5", "$ 35", "Closing balance", "12345", ""])
def test_other_texts_are_no_page_number(text: str) -> None:
    assert numerals(text) == []
