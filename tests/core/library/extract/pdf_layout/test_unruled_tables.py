"""Tests tables of figures on a page without ruled lines, drawn as statements print them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.library.extract import extract
from core.library.extracted import Extracted
from core.library.tables.records import Table
from core.settings import Settings

Read = Callable[[Any], Extracted]


@pytest.fixture
def read_pdf(tmp_path: Path, settings: Settings) -> Read:
    return lambda pdf: extract(pdf.save(tmp_path / "made.pdf"), "made.pdf", settings)


def right(pdf: Any, x: float, y: float, text: str) -> None:
    """Right-aligned at ``x``; a closing bracket extends beyond it, as in print."""
    hang = 5 * (len(text) - len(text.rstrip(")%")))
    pdf.text(x - 5 * len(text) + hang, y, text)


def only_table(extracted: Extracted) -> Table:
    tables = extracted.tables
    assert len(tables) == 1, [[row.label for row in table.rows] for table in tables]
    return tables[0]


def statement(pdf: Any) -> None:
    pdf.text(200, 740, "STATEMENTS OF CASH FLOWS", bold=True)
    pdf.text(240, 726, "(In thousands)", bold=True)
    pdf.text(415, 712, "Years Ended", bold=True)
    for x, year in ((375, "2016"), (455, "2015"), (535, "2014")):
        pdf.text(x - 10, 698, year, bold=True)
    pdf.text(50, 684, "Operating activities:")
    rows = [
        (60, "Net income", "1,168", "629", "268"),
        (60, "Deferred taxes", "24", "(69)", "(26)"),
        (60, "Changes in assets and liabilities, net of those that were", None, None, None),
        (70, "acquired", "(1)", "—", "3"),
        (80, "Net cash provided", "1,191", "560", "245"),
    ]
    for number, (x, label, *figures) in enumerate(rows):
        y = 670 - 13 * number
        pdf.text(x, y, label)
        for end, figure in zip((390, 470, 550), figures, strict=True):
            if figure:
                if number in (0, 4):
                    pdf.text(end - 45, y, "$")
                right(pdf, end, y, figure)


def test_a_statement_is_a_table_with_all_that_its_figures_need(pdf: Any, read_pdf: Read) -> None:
    statement(pdf)
    table = only_table(read_pdf(pdf))
    assert table.caption == "STATEMENTS OF CASH FLOWS"
    assert (table.units, table.scale, table.currency) == ("In thousands", 1e3, "USD")
    assert [column.header for column in table.columns] == [["Years Ended", year] for year in ("2016", "2015", "2014")]
    assert [column.period for column in table.columns] == ["2016", "2015", "2014"]
    rows = {row.label: row for row in table.rows}
    wrapped = rows["Changes in assets and liabilities, net of those that were acquired"]
    assert [cell.value for cell in wrapped.cells] == [-1, 0, 3]
    assert wrapped.parents == ["Operating activities"]
    assert [cell.text for cell in rows["Net income"].cells] == ["$1,168", "$629", "$268"]
    assert [cell.value for cell in rows["Deferred taxes"].cells] == [24, -69, -26]
    assert {row.page for row in table.rows} == {1}


def test_headings_over_several_columns_are_shared_by_place(pdf: Any, read_pdf: Read) -> None:
    pdf.text(205, 713, "Three months ended")
    pdf.text(415, 713, "2018 vs 2017")
    for x, head in ((200, "Sales"), (260, "Income"), (400, "Sales"), (460, "Income")):
        pdf.text(x, 700, head)
    for number, (label, *figures) in enumerate(
        [
            ("North", "10", "2", "(0.3)%", "8.1%"),
            ("South", "25", "5", "0.3%", "(4.8)%"),
            ("Total", "35", "7", "1%", "2%"),
        ]
    ):
        pdf.text(50, 686 - 13 * number, label)
        for end, figure in zip((225, 290, 425, 490), figures, strict=True):
            right(pdf, end, 686 - 13 * number, figure)
    table = only_table(read_pdf(pdf))
    assert [column.header for column in table.columns] == [
        ["Three months ended", "Sales"],
        ["Three months ended", "Income"],
        ["2018 vs 2017", "Sales"],
        ["2018 vs 2017", "Income"],
    ]
    assert [cell.value for cell in table.rows[1].cells] == [25, 5, 0.3, -4.8]


def test_fifteen_columns_stay_fifteen(pdf: Any, read_pdf: Read) -> None:
    for column in range(15):
        pdf.text(92 + 33 * column, 700, f"{2001 + column}", size=6)
    for number in range(4):
        pdf.text(40, 688 - 9 * number, f"Line {number}", size=6)
        for column in range(15):
            pdf.text(92 + 33 * column, 688 - 9 * number, f"{100 * number + column + 10}.{column % 10}", size=6)
    table = only_table(read_pdf(pdf))
    assert [column.period for column in table.columns] == [str(2001 + column) for column in range(15)]
    assert all(len(row.cells) == 15 and all(cell.value for cell in row.cells) for row in table.rows)


def test_prose_in_two_columns_is_no_table(pdf: Any, read_pdf: Read) -> None:
    for number in range(20):
        pdf.text(50, 700 - 12 * number, f"the year {2000 + number} saw many sales of goods")
        pdf.text(310, 700 - 12 * number, f"and {number} of them went to other lands in")
    assert read_pdf(pdf).tables == []


def test_contents_are_a_list_of_their_lines(pdf: Any, read_pdf: Read) -> None:
    for number, title in enumerate(["Business", "Risk factors", "Properties", "Market", "Controls", "Exhibits"]):
        pdf.text(50, 700 - 14 * number, f"Item {number + 1}. {title}")
        right(pdf, 500, 700 - 14 * number, str(3 + 7 * number))
    extracted = read_pdf(pdf)
    assert extracted.tables == []
    assert "Item 2. Risk factors 10" in extracted.text


def test_a_table_goes_on_over_the_page(pdf: Any, read_pdf: Read) -> None:
    for page in range(2):
        for x, year in ((375, "2016"), (455, "2015")):
            pdf.text(x - 5, 700, year)
        for number in range(4):
            pdf.text(50, 686 - 13 * number, f"Part {page} line {number} of it")
            right(pdf, 390, 686 - 13 * number, f"{page + 1},{number}00")
            right(pdf, 470, 686 - 13 * number, f"{page + 2},{number}00")
        if page == 0:
            pdf.page()
    table = only_table(read_pdf(pdf))
    assert (table.page, table.page_end) == (1, 2)
    assert [row.page for row in table.rows] == [1] * 4 + [2] * 4
    assert [column.period for column in table.columns] == ["2016", "2015"]


def test_hebrew_figures_read_from_the_right(pdf: Any, read_pdf: Read) -> None:
    pdf.letters(550, 714, "באלפי שקלים חדשים")
    for x, year in ((300, "2022"), (200, "2021")):
        pdf.text(x, 700, year)
    for number, (label, *figures) in enumerate(
        [("הכנסות", "1,577", "1,400"), ("הוצאות", "(900)", "(800)"), ("רווח", "677", "600")]
    ):
        pdf.letters(550, 686 - 13 * number, label)
        for x, figure in zip((300, 200), figures, strict=True):
            pdf.text(x, 686 - 13 * number, figure)
    table = only_table(read_pdf(pdf))
    assert [row.label for row in table.rows] == ["הכנסות", "הוצאות", "רווח"]
    assert [column.period for column in table.columns] == ["2022", "2021"]
    assert [cell.value for cell in table.rows[1].cells] == [-900, -800]
    assert (table.scale, table.currency) == (1e3, "ILS")
