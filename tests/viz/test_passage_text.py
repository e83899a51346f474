from __future__ import annotations

from viz.passage_text import Piece, pieces

TEXT = """Flows fell.
2018 | 2017
Operating
Cash <provided> | $6,439 | $6,240
Equipment | (1,577) | (1,373)
A last sentence."""


def cells(piece: Piece) -> list[list[str]]:
    return [[str(cell.html) for cell in row] for row in piece.rows]


def test_rows_are_a_table_between_paragraphs_and_the_quote_is_marked_in_each_cell() -> None:
    before, table, after = pieces(TEXT, "Equipment | (1,577) | (1,373)")
    assert (before.text, after.text) == ("Flows fell.", "A last sentence.")
    assert cells(table) == [
        ["", "2018", "2017"],
        ["Operating", "", ""],
        ["Cash &lt;provided&gt;", "$6,439", "$6,240"],
        ["<mark>Equipment</mark>", "<mark>(1,577)</mark>", "<mark>(1,373)</mark>"],
    ]
    assert [cell.figure for cell in table.rows[2]] == [False, True, True]


def test_a_quote_over_two_rows_ends_where_it_ends() -> None:
    (table,) = pieces("a | 1\nb | 2\nc | 3", "1\nb | 2")
    assert cells(table) == [["a", "<mark>1</mark>"], ["<mark>b</mark>", "<mark>2</mark>"], ["c", "3"]]


def test_text_without_rows_stays_one_paragraph() -> None:
    (only,) = pieces("One & two.\nThree.", "two. Three")
    assert only == Piece(text=only.text)
    assert str(only.text) == "One &amp; <mark>two.\nThree</mark>."
