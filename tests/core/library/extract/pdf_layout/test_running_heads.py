"""Tests running heads and page numbers, from text pieces placed on pages."""

from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.page import Page
from core.library.extract.pdf_layout.running_heads import without_margins


def piece(text: str, bottom: float, x0: float = 60.0) -> Piece:
    return Piece(text, x0, x0 + 6 * len(text), bottom, bottom + 9, 9, False)


def page(number: int, *pieces: Piece) -> Page:
    body = [piece(f"Line {line} of the text of page {number}", 100 + 20 * line) for line in range(20)]
    return Page(number, pieces=[*pieces, *body], bottom=0, top=800)


def test_years_over_the_tables_of_pages_in_a_row_are_no_page_numbers() -> None:
    pages = [
        page(number, piece("2023", 780, 300), piece("2022", 780, 400), piece("2021", 780, 500))
        for number in (50, 51, 52)
    ]
    kept = without_margins(pages).kept
    assert [[each.text for each in own if each.text.startswith("202")] for own in kept] == [
        ["2023", "2022", "2021"]
    ] * 3


def test_numbers_that_count_the_pages_are_left_out() -> None:
    pages = [page(number, piece(str(number + 4), 10, 300)) for number in (1, 2, 3)]
    margins = without_margins(pages)
    assert margins.labels == ["5", "6", "7"]
    assert all("Line" in each.text for own in margins.kept for each in own)


def test_a_file_of_many_pages_may_count_beyond_a_thousand() -> None:
    pages = [page(number, piece(str(number + 1990), 10, 300)) for number in range(1, 11)]
    assert without_margins(pages).labels == [str(number + 1990) for number in range(1, 11)]


def test_of_heads_that_do_not_all_have_room_the_first_on_the_page_goes() -> None:
    """The result must not depend on the order of a Python set: the same file was once read in two different ways."""
    heads = [f"Heading {letter} of a table" for letter in "ABCDEFGH"]
    headed = [piece(text, 780, 10 + 150 * place) for place, text in enumerate(heads)]
    pages = [page(number, *(headed if number <= 3 else [])) for number in range(1, 6)]
    kept = without_margins(pages).kept
    assert [[each.text for each in own if each.text.startswith("Heading")] for own in kept] == [
        heads,
        heads[1:],
        heads[1:],
        [],
        [],
    ]


def test_a_foot_in_one_place_goes_however_short_the_pages_are() -> None:
    """A footer that is always at the same position may be a larger share of a page's lines than headers at varying
    positions."""
    pages = [
        Page(
            number, pieces=[piece(f"Page {number} says one thing", 700), piece("www.example.org and more", 30)], top=800
        )
        for number in range(1, 8)
    ]
    kept = [each.text for own in without_margins(pages).kept for each in own]
    assert kept.count("www.example.org and more") == 1
    assert len(kept) == 8
