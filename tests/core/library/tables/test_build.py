from __future__ import annotations

from core.library.extracted import Block, table_numbers
from core.library.tables.build import build
from core.library.tables.continuation import join_continued
from core.library.tables.grid import grid_of
from core.library.tables.records import Table
from core.library.tables.rendering import heading, table_block


def made(rows: list[list[str]], **given: object) -> Table:
    grid = grid_of(rows, **given)  # type: ignore[arg-type]
    assert grid is not None
    table = build(grid)
    assert table is not None
    return table


INCOME = [
    ["", "", "Fiscal", ""],
    ["", "2019", "2018", "2017"],
    ["", "", "(in millions)", ""],
    ["Solutions:", "", "", ""],
    ["Cars", "$ 5,686", "$ 6,092", "$  5,228"],
    ["Sensors", "914", "(918)", "—"],
    ["Total Solutions", "6,600", "5,174", "5,228"],
    ["Elsewhere", "1", "2", "3"],
]


def test_headings_units_periods_and_parents_are_understood() -> None:
    table = made(INCOME)
    assert [column.header for column in table.columns] == [["Fiscal", "2019"], ["Fiscal", "2018"], ["Fiscal", "2017"]]
    assert [column.period for column in table.columns] == ["2019", "2018", "2017"]
    assert (table.units, table.scale, table.currency) == ("in millions", 1e6, "USD")
    sensors = table.rows[2]
    assert (sensors.label, sensors.parents) == ("Sensors", ["Solutions"])
    assert [cell.value for cell in sensors.cells] == [914, -918, 0]
    assert table.rows[-1].parents == []


def test_a_block_repeats_nothing_and_shows_no_stray_bar() -> None:
    block = table_block(made(INCOME))
    assert block.header == "(in millions)\nFiscal 2019 | Fiscal 2018 | Fiscal 2017"
    assert block.text.splitlines()[:2] == ["Solutions:", "Cars | $5,686 | $6,092 | $5,228"]
    assert all(not line.startswith("|") and not line.endswith("|") for line in block.text.splitlines())


def test_a_heading_over_several_columns_is_shared_out() -> None:
    table = made(
        [
            ["", "Domestic", "", "International", ""],
            ["", "September 30,", "", "September 30,", ""],
            ["", "2019", "2018", "2019", "2018"],
            ["Discount rate", "4.00%", "3.75%", "1.90%", "2.80%"],
        ]
    )
    assert [column.header[0].split()[0] for column in table.columns] == [
        "Domestic", "Domestic", "International", "International",
    ]  # fmt: skip
    assert [column.period for column in table.columns] == ["2019-09-30", "2018-09-30", "2019-09-30", "2018-09-30"]
    assert {cell.kind for cell in table.rows[0].cells} == {"share"}


def test_signs_in_columns_of_their_own_join_the_figures() -> None:
    rows = [
        ["", "", "2019", "", "", "2018", ""],
        ["Net", "$", "(12", ")", "$", "1,577", ""],
        ["Gross", "", "5", "", "", "(6", ")"],
    ]
    table = made(rows)
    assert [cell.value for row in table.rows for cell in row.cells] == [-12, 1577, 5, -6]
    assert [cell.text for cell in table.rows[0].cells] == ["$(12)", "$1,577"]
    assert [column.period for column in table.columns] == ["2019", "2018"]


def test_columns_keep_units_of_their_own() -> None:
    table = made([["", "30 June 2019", "Change"], ["", "$’000", "%"], ["Profit", "(9,819)", "(248%)"]])
    assert (table.columns[0].unit, table.columns[0].scale) in ((None, None), ("$’000", 1e3))
    assert (table.columns[1].unit, table.columns[1].scale) == ("%", None)
    assert table.rows[0].cells[1].value == -248


def test_a_data_row_is_never_a_heading() -> None:
    table = made([["Haifa", "1,200", "1,350"], ["Eilat", "300", "410"]])
    assert [row.label for row in table.rows] == ["Haifa", "Eilat"]
    assert not any(column.header for column in table.columns)


def test_hebrew_tables() -> None:
    table = made([["באלפי ש״ח", "2022", "2021"], ["הכנסות", "1,577", "(20)"], ["סה״כ", "1,600", "-"]])
    assert (table.scale, table.currency) == (1e3, "ILS")
    assert [cell.value for row in table.rows for cell in row.cells] == [1577, -20, 1600, 0]


def test_years_as_rows_are_their_periods() -> None:
    table = made([["Fiscal Year", "Amount"], ["2023", "$61"], ["2024", "21"], ["Thereafter", "56"]])
    assert [row.period for row in table.rows] == ["2023", "2024", None]


def test_indents_make_parents() -> None:
    table = made(
        [["", "2022"], ["Net sales", "9"], ["Products", "5"], ["Services", "4"], ["Total costs", "3"]],
        indents=[0, 0, 1, 1, 1],
    )
    assert [row.parents for row in table.rows] == [[], ["Net sales"], ["Net sales"], []]


def part(page: int, rows: list[list[str]]) -> Block:
    return table_block(made(rows, page=page))


def test_a_table_on_two_pages_is_one_record() -> None:
    first = part(1, [["", "2022", "2021"], ["Cash", "$1", "$2"], ["Debt", "3", "4"]])
    second = part(2, [["Equity", "5", "6"], ["Other", "7", "8"]])
    title = Block(text="Balance sheet (continued)", page=2)
    blocks = join_continued([first, title, second, part(3, [["", "2020"], ["Tax", "1"], ["Rent", "2"]])])
    assert table_numbers(blocks) == [0, None, 0, 1]
    joined = blocks[0].table
    assert joined is not None
    assert joined is blocks[2].table
    assert [(row.label, row.page) for row in joined.rows] == [("Cash", 1), ("Debt", 1), ("Equity", 2), ("Other", 2)]
    assert blocks[2].header == "2022 | 2021"
    assert (blocks[2].text, blocks[2].page) == ("Equity | 5 | 6\nOther | 7 | 8", 2)


def test_prose_between_parts_two_tables() -> None:
    first = part(1, [["", "2022"], ["Cash", "$1"], ["Debt", "3"]])
    second = part(2, [["Equity", "5"], ["Other", "7"]])
    blocks = join_continued([first, Block(text="A sentence of prose. " * 20, page=2), second])
    assert table_numbers(blocks) == [0, None, 1]


def test_units_hold_for_the_table_that_follows_at_once() -> None:
    first = part(1, [["(in thousands)", "2022"], ["Cash", "$1"], ["Debt", "3"]])
    second = part(1, [["Property", "2022"], ["Land", "$5"], ["Other", "7"]])
    blocks = join_continued([first, second])
    assert blocks[1].table is not None
    assert (blocks[1].table.units, blocks[1].table.scale) == ("in thousands", 1e3)
    assert heading(blocks[1].table).startswith("(in thousands)")
