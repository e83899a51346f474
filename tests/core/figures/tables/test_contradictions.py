from __future__ import annotations

from collections.abc import Sequence

from core.figures.records import Origin, TableEvidence
from core.figures.tables.contradictions import rows_beside
from core.library.tables.records import Cell, Column, Row, Table

Rows = Sequence[tuple[str, Sequence[float | str]]]


def table(number: int, headings: Sequence[str], rows: Rows) -> TableEvidence:
    made = [
        Row(
            label=label,
            cells=[
                Cell(text=cell, kind="text") if isinstance(cell, str) else Cell(text=f"{cell:g}", value=cell)
                for cell in cells
            ],
        )
        for label, cells in rows
    ]
    columns = [Column(header=[heading]) for heading in headings]
    return TableEvidence(Origin(number, f"d{number}"), 0, Table(columns=columns, rows=made))


OLD = table(1, ["Limit", "Approval"], [("Kayak", [40.0, "keeper"]), ("Raft", [60.0, "keeper"]), ("Tent", [9.0, "-"])])
NEW = table(2, ["Approval", "Limit"], [("Raft", ["board", 75.0]), ("kayak", ["keeper", 40.0]), ("Kite", ["-", 5.0])])


def test_cells_of_one_label_and_heading_that_differ_stand_beside_each_other() -> None:
    (row,) = rows_beside([OLD], [NEW])
    assert row.name == "Raft · Limit"
    assert [cell.text for cell in row.cells] == ["60", "75"]


def test_tables_of_other_things_are_not_compared() -> None:
    assert rows_beside([OLD], [table(2, ["Limit"], [("Raft", [75.0]), ("Oar", [2.0]), ("Rope", [3.0])])]) == []


def test_a_label_that_stands_twice_names_no_row() -> None:
    twice = table(2, ["Limit"], [("Raft", [75.0]), ("Raft", [80.0]), ("Kayak", [40.0]), ("Tent", [11.0])])
    assert [row.name for row in rows_beside([OLD], [twice])] == ["Tent · Limit"]


def test_a_column_of_another_period_is_left_alone() -> None:
    ones = table(1, ["2030"], [("Raft", [60.0]), ("Kayak", [40.0])])
    assert rows_beside([ones], [table(2, ["2031"], [("Raft", [75.0]), ("Kayak", [41.0])])]) == []


def test_words_around_one_figure_of_a_unit_differ_by_it() -> None:
    ones = table(1, ["Limit"], [("Raft", ["60 dollars a day"]), ("Kayak", ["40 dollars"]), ("Tent", ["in May"])])
    others = table(2, ["Limit"], [("Raft", ["75 dollars a day"]), ("Kayak", ["$40"]), ("Tent", ["in June"])])
    assert [row.name for row in rows_beside([ones], [others])] == ["Raft"]
