"""Tests which passage a table cell is shown in: the one with its row."""

from __future__ import annotations

from core.store.items import ItemSource, MemoryItem, Timestamps
from viz.cited_passage import table_passage


def item(number: int, text: str) -> MemoryItem:
    return MemoryItem(
        _id=f"mem_{number:032x}",
        user_id="ada",
        tier="books",
        text=text,
        source=ItemSource(type="document"),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
    )


ROWS = [item(1, "Cost of sales | 600 | 500"), item(2, "Net sales | 1,000 | 900\nGross profit | 400 | 400")]


def test_the_passage_with_the_row_is_shown_and_the_row_marked() -> None:
    found = table_passage(ROWS, "Net sales of Harbour Tools in FY2031: $1,000 million")
    assert found is not None
    passage, quote = found
    assert passage.item_id == ROWS[1].id
    assert "Net sales" in quote


def test_where_no_row_is_meant_the_table_is_shown_from_its_beginning() -> None:
    assert table_passage(ROWS, "zzz") == table_passage(ROWS, "")
    found = table_passage(ROWS, "")
    assert found is not None
    assert (found[0].item_id, found[1]) == (ROWS[0].id, "")


def test_a_table_in_no_passage_shows_none() -> None:
    assert table_passage([], "Net sales") is None
