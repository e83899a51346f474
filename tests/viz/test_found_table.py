"""Tests the display of a tool's results: rows as a table, and bars if the rows have names and figures; code in them is
not run."""

from core.events import Passage, Source
from core.records.source_table import SourceTable
from core.words import Words
from viz.found_table import MOST_BARS, bars_of, found_card, table_of


def source(rows: list[list[str | int | float | bool | None]], *columns: str, total: int | None = None) -> Source:
    passage = Passage(item_id="tool_1", text="Jerusalem | 3")
    table = SourceTable(columns=list(columns), rows=rows, total=total, changed="2026-03-01")
    return Source(
        kind="tool", number=2, document_id="tool_1", title="Hospitals", filename="datagov", score=0.6,
        passages=[passage], table=table, tool=Words(en="Open data"),
    )  # fmt: skip


HOSPITALS = source([["Jerusalem", 1, 7], ["Haifa", 2, 5], ["Eilat", 3, None]], "City", "_id", "Hospitals", total=40)


def test_the_first_figures_that_say_something_are_drawn_the_largest_first() -> None:
    table = table_of(source([["Haifa", 1, 5], ["Jerusalem", 2, 7], ["Eilat", 3, 0]], "City", "_id", "Hospitals"))
    assert table
    bars = bars_of(table)
    assert bars
    assert bars.column == "Hospitals"
    assert [(bar.label, bar.text, round(bar.share)) for bar in bars.bars] == [
        ("Jerusalem", "7", 100), ("Haifa", "5", 71), ("Eilat", "0", 0),
    ]  # fmt: skip


def test_years_codes_and_coordinates_are_drawn_only_where_nothing_tells_what_they_are() -> None:
    rows: list[list[str | int | float | bool | None]] = [
        ["Haifa", 2019, 4000, 5],
        ["Acre", 2020, 7600, 7],
        ["Lod", 2021, 7000, 9],
    ]
    table = table_of(source(rows, "City", "Year", "Code", "Dogs"))
    assert table
    untold, told = bars_of(table), bars_of(table, ["place", "year", "text", "number"])
    assert untold
    assert told
    assert (untold.column, told.column) == ("Year", "Dogs")
    assert bars_of(table, ["place", "year", "text", "text"]) is None


def test_what_cannot_be_set_beside_each_other_is_not_drawn() -> None:
    undrawn = (
        source([["A", 1], ["B", 2]], "Name", "Beds"),
        source([["A", 1], ["A", 2], ["B", 3]], "Name", "Beds"),
        source([["A", -1], ["B", 2], ["C", 3]], "Name", "Change"),
        source([["A", 5], ["B", 5], ["C", 5]], "Name", "Beds"),
        source([["A", "x"], ["B", "y"], ["C", "z"]], "Name", "Street"),
    )
    assert [bars_of(table) for each in undrawn if (table := table_of(each))] == [None] * len(undrawn)


def test_of_many_rows_the_largest_are_drawn_and_said_to_be() -> None:
    table = table_of(source([[f"Place {n}", n] for n in range(50)], "Place", "People"))
    assert table
    bars = bars_of(table)
    assert bars
    assert (len(bars.bars), bars.of, bars.bars[0].text) == (MOST_BARS, 50, "49")


def test_the_card_says_what_it_shows_in_both_languages() -> None:
    english, hebrew = (str(found_card(HOSPITALS, HOSPITALS.passages[0], "", "run_1", each)) for each in ("en", "he"))
    assert "3 of 40 rows" in english
    assert "last changed 2026-03-01" in english
    assert 'href="/answers/run_1/sources/2.csv"' in english
    assert 'data-keep="2"' in english
    assert 'dir="rtl"' in hebrew
    assert "3 מתוך 40" in hebrew


def test_a_row_that_is_too_short_and_markup_in_it_do_no_harm() -> None:
    table = source([["<b>x</b>"], ["y", 2], ["z", 3]], "Name", "Beds")
    drawn = str(found_card(table, table.passages[0], "", "run_1", "en"))
    assert "&lt;b&gt;x" in drawn
    assert "<b>x" not in drawn


def test_a_text_is_shown_with_its_words_marked() -> None:
    text = HOSPITALS.model_copy(update={"table": None})
    drawn = str(found_card(text, text.passages[0], "Jerusalem", "run_1", "en"))
    assert "<mark>Jerusalem</mark>" in drawn
    assert "data-keep" not in drawn
