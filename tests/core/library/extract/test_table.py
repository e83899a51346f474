from __future__ import annotations

from pathlib import Path

import pytest

from core.library.extract import extract
from core.library.extract.table import table_block
from core.library.tables.heads_of_words import has_headings, is_number
from core.library.tables.records import Table
from core.settings import Settings


@pytest.mark.parametrize(
    ("rows", "cautious", "expected"),
    [
        ([["city", "sales"], ["Haifa", "12"]], True, True),
        ([["שם", "גיל"], ["דנה", "12"], ["יוסי", "14"]], True, True),
        ([["", "2022", "2023"], ["Haifa", "1,200", "1,350"]], False, True),
        ([["1", "2"], ["a", "b"]], False, True),
        ([["1", "2"], ["3", "4"]], False, False),
        ([["Name", "Dana"], ["City", "Haifa"]], True, False),
        ([["Name", "Dana"], ["City", "Haifa"]], False, True),
        ([["Question", "Answer"], ["What is the limit of a file?", "It is ten megabytes in all"]], True, True),
        ([["only", "row"]], False, False),
        ([["a " * 90, "b"], ["c", "d"]], False, False),
    ],
)
def test_headings_are_told_from_data(rows: list[list[str]], cautious: bool, expected: bool) -> None:
    assert has_headings(rows, cautious) is expected


def test_rows_are_filled_up_and_empty_ones_left_out() -> None:
    block = table_block([["a", "b", ""], ["", "", ""], ["1", "", ""]])
    assert block is not None
    assert (block.header, block.text) == ("a | b", "1")


def test_nothing_is_not_a_table() -> None:
    assert table_block([["", " "], []]) is None


def test_several_heading_rows_are_all_kept() -> None:
    block = table_block([["", "Sales", "Sales"], ["City", "2022", "2023"], ["Haifa", "1", "2"]], headings=2)
    assert block is not None
    assert block.header == "City | Sales 2022 | Sales 2023"
    assert block.text == "Haifa | 1 | 2"


def test_a_table_of_headings_alone_is_not_dropped() -> None:
    block = table_block([["a", "b"]], headings=1)
    assert block is not None
    assert block.text == "a | b"


def test_a_cell_cannot_break_the_table() -> None:
    block = table_block([["x|y", "a\nb"], ["1", "2"]], headings=0)
    assert block is not None
    assert block.text == "x¦y | a b\n1 | 2"


@pytest.mark.parametrize("cell", ["12", "1,200.50", "25%", "-3", "$5", "₪ 1,000", "12/05/2024", "(4)"])
def test_numbers(cell: str) -> None:
    assert is_number(cell)


@pytest.mark.parametrize("cell", ["", "abc", "12 apples", "-", "Q1"])
def test_not_numbers(cell: str) -> None:
    assert not is_number(cell)


def _csv(tmp_path: Path, text: str) -> list[Table]:
    file = tmp_path / "table.csv"
    file.write_text(text, "utf-8")
    return extract(file, file.name, Settings()).tables


def test_a_head_of_a_csv_may_be_one_column_short_or_long(tmp_path: Path) -> None:
    for text in ("sales,profit\nNorth,10,1\nSouth,20,2\n", ",sales,profit\nNorth,10,1\nSouth,20,2\n"):
        (table,) = _csv(tmp_path, text)
        assert [column.header for column in table.columns] == [["sales"], ["profit"]]
    (table,) = _csv(tmp_path, ",name,age\nAnn,30\nBob,40\n")
    assert (table.stub, [column.header for column in table.columns]) == ("name", [["age"]])


def test_tables_of_a_csv_are_parted_where_new_headings_follow(tmp_path: Path) -> None:
    found = _csv(tmp_path, "region,sales\nNorth,10\nSouth,20\n,\nproduct,units\nDesk,4\nLamp,7\n")
    assert [table.stub for table in found] == ["region", "product"]
    (whole,) = _csv(tmp_path, "region,sales\n\nNorth,10\n\nSouth,20\n\nEast,30\n")
    assert len(whole.rows) == 3


def test_years_over_measures_with_a_corner_for_the_labels() -> None:
    rows = [
        ["", "2023", "2023", "2022", "2022"],
        ["Zone", "Sales", "Profit", "Sales", "Profit"],
        ["A", "10", "1", "9", "2"],
    ]
    block = table_block(rows, spans=True)
    assert block is not None
    assert block.table is not None
    assert block.table.stub == "Zone"
    assert [(column.header, column.period) for column in block.table.columns[1:3]] == [
        (["2023", "Profit"], "2023"),
        (["2022", "Sales"], "2022"),
    ]


def test_units_below_the_headings_that_the_format_marks() -> None:
    block = table_block([["", "2023", "2022"], ["CHF million", "", ""], ["Sales", "10", "9"]], headings=1)
    assert block is not None
    assert block.table is not None
    assert (block.table.scale, [row.label for row in block.table.rows]) == (1e6, ["Sales"])


def test_rows_of_days_are_not_of_the_day_of_their_title() -> None:
    rows = [["Order", "Day", "Amount"], ["A", "2024-05-01", "10"], ["B", "2024-06-02", "20"]]
    block = table_block(rows, above=["Export of 2024-12-31"])
    assert block is not None
    assert block.table is not None
    assert all(column.period is None for column in block.table.columns)
