from __future__ import annotations

import pytest

from core.library.extract.table import table_block
from core.library.tables.heads_of_words import has_headings, is_number


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
