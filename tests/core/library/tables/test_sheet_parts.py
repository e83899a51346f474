"""Tests that empty rows separate tables, but not headings from their figures."""

from __future__ import annotations

import pytest

from core.library.extract.sheet_blocks import sheet_blocks
from core.library.tables.records import Table
from core.library.tables.sheet_parts import SheetLine, sheet_parts

SALES = [["Zone A", "1255", "271"], ["Zone B", "946", "157"], ["Total", "2201", "428"]]


def tables(rows: list[list[str]]) -> list[Table]:
    return [block.table for block in sheet_blocks(rows, "Sheet") if block.table]


@pytest.mark.parametrize(
    "heads",
    [
        [["In millions of CHF", "January-June 2023"], ["", "Sales", "Profit"], []],
        [["In millions of CHF", "H1 2023", "H1 2023"], [], ["", "Sales", "Profit"], []],
        [["Results"], [], ["CHF million"], [], ["", "6M 2023", ""], ["Zone", "Sales", "Profit"], [], []],
        [["", "Jan\u2013Jun 2023", "Jan\u2013Jun 2023"], ["Zone", "Sales", "Profit"], ["CHF million"], []],
        [["", "1H 2023", ""], ["Zone", "Sales", "Profit"], ["", "CHF million", "CHF million"], []],
    ],
)
def test_headings_units_and_periods_reach_over_empty_rows(heads: list[list[str]]) -> None:
    (table,) = tables([*heads, *SALES])
    assert [(column.header[-1], column.period) for column in table.columns] == [
        ("Sales", "2023-H1"),
        ("Profit", "2023-H1"),
    ]
    assert (table.scale, table.currency, len(table.rows)) == (1e6, "CHF", 3)


def test_a_table_goes_on_over_an_empty_row_and_the_names_of_its_parts() -> None:
    rows = [["", "2023", "2022"], ["Assets"], ["Cash", "10", "20"], [], ["Liabilities"], ["Loans", "5", "6"], [], ["Total", "15", "26"]]  # fmt: skip  # noqa: E501
    (table,) = tables(rows)
    assert [(row.label, row.parents) for row in table.rows if row.cells[0].text] == [
        ("Cash", ["Assets"]),
        ("Loans", ["Liabilities"]),
        ("Total", ["Liabilities"]),
    ]


def test_tables_with_headings_of_their_own_stay_apart() -> None:
    found = tables([["Zone", "Sales"], ["A", "10"], ["B", "5"], [], ["Product", "Units"], ["Desk", "4"], ["Lamp", "7"]])
    assert [table.stub for table in found] == ["Zone", "Product"]


def test_a_remark_ends_a_table() -> None:
    rows = [["Zone", "Sales"], ["A", "10"], [], ["All figures are those of the branches."], [], ["C", "7"]]
    assert [len(table.rows) for table in tables(rows)] == [1, 1]


def test_values_beside_names_are_no_headings_of_the_next_table() -> None:
    found = tables([["Company", "Orlan"], ["Phone", "none"], [], ["Desk", "4", "20"], ["Lamp", "7", "30"]])
    assert [len(table.rows) for table in found] == [1, 2]


def test_every_filled_row_is_kept_once() -> None:
    rows = [["x"], [], ["a", "b"], [], ["c", "1"], [], ["d"], ["e", "2"], [], [], ["f", "g"], [], ["h", "i", "3"]]
    found = [part.cells if isinstance(part, SheetLine) else part.rows for part in sheet_parts(rows)]
    assert sorted(cell for cell in str(found) if cell.isalnum()) == sorted(cell for row in rows for cell in row if cell)


def test_a_sheet_may_be_named_by_its_period() -> None:
    rows = [["Zone", "Sales"], ["A", "10"], ["B", "7"]]
    blocks = [block.table for name in ("2023", "Q2 2024", "North") for block in sheet_blocks(rows, name)]
    assert [table.columns[0].period for table in blocks if table] == ["2023", "2024-Q2", None]


@pytest.mark.parametrize(
    ("head", "columns"),
    [
        (["2023", "2022"], [["2023"], ["2022"]]),
        (["North", "South"], [["North"], ["South"]]),
        (["Zone", "2022"], [["2022"], []]),
    ],
)
def test_a_head_that_begins_over_the_labels_is_moved_over_the_figures(
    head: list[str], columns: list[list[str]]
) -> None:
    (table,) = tables([head, *SALES])
    assert [column.header for column in table.columns] == columns
    (table,) = tables([head, *([*row[:2], "as planned"] for row in SALES)])
    assert table.columns[0].header == head[1:]
