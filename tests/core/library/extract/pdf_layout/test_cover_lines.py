"""Tests the lines of a first page with their type size, from text pieces placed on pages."""

from core.library.extract.pdf_layout.cover_lines import are_slides, cover_lines
from core.library.extract.pdf_layout.glyphs import Piece
from core.library.extract.pdf_layout.page import Page
from core.library.extracted import CoverLine


def piece(text: str, bottom: float, size: float = 10, x0: float = 60.0) -> Piece:
    return Piece(text, x0, x0 + 0.5 * size * len(text), bottom, bottom + size, size, False)


def page(number: int, *pieces: Piece) -> Page:
    body = [piece(f"Line {line} of the running text of page {number}", 100 + 15 * line) for line in range(20)]
    return Page(number, pieces=[*pieces, *body], bottom=0, top=800)


def lines(*pages: Page) -> list[CoverLine]:
    return cover_lines(pages, [each.pieces for each in pages])


def test_sizes_are_shares_of_the_running_text_and_two_sizes_are_two_lines() -> None:
    first, second, *_ = lines(page(1, piece("Harbours", 600, 30), piece("of the north", 600, 12, 260)), page(2))
    assert (first.text, first.size) == ("Harbours", 3.0)
    assert (second.text, second.size) == ("of the north", 1.2)


def test_a_blank_first_page_is_no_cover() -> None:
    assert lines(Page(1, pieces=[piece("1", 400)], top=800), page(2, piece("Harbours", 600, 30)))[0].page == 2


def test_the_head_of_a_periodical_runs_and_the_title_of_a_report_does_not() -> None:
    heads = [piece("Harbour Gazette Vol. 85 Notices", 770) for _ in range(3)]
    issue = [page(1, piece("Notices", 770, 20), piece("Vol. 85", 750)), *map(page, (2, 3, 4), heads)]
    assert [line.text for line in lines(*issue) if line.running] == ["Notices", "Vol. 85"]
    report = [page(1, piece("Notices", 770, 20)), *map(page, (2, 3, 4), heads)]
    assert not any(line.running for line in lines(*report))


def test_wide_pages_of_few_words_are_slides() -> None:
    pages = [Page(number, pieces=[piece("A point", 300)], top=500) for number in (1, 2, 3)]
    assert are_slides(pages, [1.33] * 3, {})
    assert not are_slides(pages, [0.7] * 3, {})
    assert are_slides([page(1)], [1.78], {"Creator": "Microsoft PowerPoint"})
