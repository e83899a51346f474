"""Tests column headings that take several rows: which rows belong to them, and the name that each column gets."""

from __future__ import annotations

import pytest

from core.library.extract.sheet_blocks import sheet_blocks
from core.library.extract.table import table_block
from core.library.tables.records import Table

ROWS = [["Mill Road", "41", "1,905", "44", "2,292"], ["Hill End", "38", "1,610", "35", "1,640"]]
YEARS = ["", "2031", "2031", "2032", "2032"]
MEASURES = ["", "Stalls", "Rent", "Stalls", "Rent"]
OVER_MEASURES = [["2031", "Stalls"], ["2031", "Rent"], ["2032", "Stalls"], ["2032", "Rent"]]


def with_label(row: list[str], label: str = "Market") -> list[str]:
    return [label, *row[1:]]


def table(rows: list[list[str]], headings: int | None = None, spans: bool = True) -> Table:
    block = table_block(rows, headings, spans=spans)
    assert block is not None
    assert block.table is not None
    return block.table


def heads(found: Table) -> list[list[str]]:
    return [column.header for column in found.columns]


@pytest.mark.parametrize("marked", [None, 1])
@pytest.mark.parametrize(("upper", "lower"), [("Market", "Market"), ("", "Market"), ("Market", "")])
def test_the_row_below_names_what_the_years_leave_to_it(upper: str, lower: str, marked: int | None) -> None:
    found = table([with_label(YEARS, upper), with_label(MEASURES, lower), *ROWS], marked)
    assert heads(found) == OVER_MEASURES
    assert [column.period for column in found.columns] == ["2031", "2031", "2032", "2032"]
    assert [row.label for row in found.rows] == ["Mill Road", "Hill End"]


def test_a_title_in_the_first_row_is_no_level() -> None:
    found = table([["Markets and rents"] * 5, with_label(YEARS), with_label(MEASURES), *ROWS], 1)
    assert (found.caption, heads(found)) == ("Markets and rents", OVER_MEASURES)


def test_three_levels_under_one_label() -> None:
    rows = [["Market", *["North"] * 4], with_label(YEARS), with_label(MEASURES), *ROWS]
    assert heads(table(rows, 1)) == [["North", *head] for head in OVER_MEASURES]
    rows[:2] = [["", *["North"] * 4], YEARS]
    assert heads(table(rows)) == [["North", *head] for head in OVER_MEASURES]


def test_years_may_stand_once_over_their_columns() -> None:
    rows = [["Market", "2031", "", "2032", ""], MEASURES, *ROWS]
    assert heads(table(rows, 1, spans=False)) == OVER_MEASURES


def test_words_without_a_label_right_above_the_figures_are_of_their_headings() -> None:
    found = table([["Stall", "Rent", "Fees"], ["", "agreed", "paid"], ["North", "41", "38"]], 1)
    assert heads(found) == [["Rent agreed"], ["Fees paid"]]


def test_of_words_the_places_tell_a_second_row() -> None:
    words = [["Hall", "choir", "chess", "", "drama"], ["Attic", "", "film", "cards", ""]]
    days, hours = ["", "Monday", "Monday", "Friday", "Friday"], ["Room", "Noon", "Night", "Noon", "Night"]
    assert heads(table([days, hours, *words]))[0] == ["Monday", "Noon"]
    assert heads(table([["Name", "Yes", "Yes"], ["Ann", "early", "late"], ["Bo", "late", "late"]])) == [[], []]


def test_a_row_of_data_under_one_row_of_headings_stays_data() -> None:
    found = table([["Market", "Rent", "Rent"], ["Mill Road", "paid", "open"], ["Hill End", "41", "38"]], 1)
    assert [row.label for row in found.rows] == ["Mill Road", "Hill End"]


def test_an_empty_row_may_follow_both_rows_of_headings_of_a_sheet() -> None:
    blocks = sheet_blocks([YEARS, with_label(MEASURES), [""] * 5, *ROWS], "Markets")
    assert len(blocks) == 1
    assert blocks[0].table is not None
    assert heads(blocks[0].table) == OVER_MEASURES


@pytest.mark.parametrize("marked", [None, 1])
@pytest.mark.parametrize("label", ["", "Unit", "Einheit"])
def test_a_row_of_units_is_a_level_of_headings(label: str, marked: int | None) -> None:
    rows = [["Quay", "Freight", "Boxes", "Calls"], [label, "kt", "thousand", "number"], ["North", "41", "38", "7"]]
    found = table(rows, marked)
    assert [(column.header, column.unit, column.scale) for column in found.columns] == [
        (["Freight", "kt"], "kt", None),
        (["Boxes"], "thousand", 1e3),
        (["Calls", "number"], "number", None),
    ]
    assert [row.label for row in found.rows] == ["North"]
    assert found.stub == "Quay"


def test_units_that_the_code_does_not_know_are_kept_beside_those_it_knows() -> None:
    rows = [["", "Mail", "Mail", "Freight"], ["", "2031", "2032", "2032"], ["", "thousand", "thousand", "sacks"]]
    found = table([*rows, ["North", "41", "38", "12"]])
    assert (found.scale, found.columns[0].scale, found.columns[2].unit, found.columns[2].scale) == (
        1e3,
        None,
        "sacks",
        1,
    )
    words = table([["Size", "Colour"], ["small", "red"], ["large", "blue"]])
    assert [column.unit for column in words.columns] == [None]


@pytest.mark.parametrize(
    ("head", "unit"), [("Zinc (mg/kg)", "mg/kg"), ("Heat (MWh)", "MWh"), ("Sales (restated)", None), ("Loss (b)", None)]
)
def test_a_unit_in_brackets_is_kept(head: str, unit: str | None) -> None:
    found = table([["Site", head, "Visits"], ["North", "41", "38"], ["South", "12", "18"]])
    assert [column.unit for column in found.columns] == [unit, None]


def test_a_column_of_units_says_those_of_its_rows() -> None:
    found = table(
        [["Indicator", "Unit", "2031", "2032"], ["Freight", "kt", "51", "54"], ["Calls", "thousand", "1", "2"]]
    )
    assert [row.unit for row in found.rows] == ["kt", "thousand"]
