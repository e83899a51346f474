"""Tests which columns a heading covers, from horizontal extents on a line."""

from core.library.extract.pdf_layout.column_alignment import Band, spans_of
from core.library.extract.pdf_layout.line_cells import LineCell


def heading(text: str, x0: float, x1: float) -> LineCell:
    return LineCell(text, x0, x1, x0, x1, False, (x0, 0, x1, 9))


def band(x0: float, x1: float) -> Band:
    return Band(x0, x1, x0, x1)


def test_a_heading_set_left_of_its_figures_still_covers_both_columns() -> None:
    bands = [band(302, 345), band(372, 414), band(445, 487), band(517, 560)]
    cells = [heading("Three Months Ended June 30,", 289, 402), heading("Twelve Months Ended June 30,", 431, 548)]
    assert spans_of(cells, bands, 7) == [(0, 2), (2, 4)]


def test_a_heading_over_one_column_keeps_to_it() -> None:
    bands = [band(302, 345), band(372, 414)]
    assert spans_of([heading("2031", 305, 340), heading("2030", 375, 410)], bands, 7) == [(0, 1), (1, 2)]
