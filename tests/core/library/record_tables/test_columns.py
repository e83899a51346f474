"""Tests which columns are searched by embeddings: comments and answers, but no codes, names or categories."""

from __future__ import annotations

import pytest

from core.library.record_tables.columns import text_columns

COMMENTS = [f"The parcel number {n} came far too late" for n in range(40)]


@pytest.mark.parametrize(
    ("cells", "is_text"),
    [
        (COMMENTS, True),
        (["More seats in the waiting room", "Please answer the telephone sooner"] * 100, True),
        (["", "", *COMMENTS], True),
        (["הגז הגיע באיחור רב", "אין מענה בטלפון בכלל"] * 20, True),
        (["Goods for resale", "Cost of transport"] * 100, False),
        (["Elm Road", "Castle Hill"] * 100, False),
        ([f"AB-{n} 17/{n}" for n in range(200)], False),
        ([f"{n}.50" for n in range(200)], False),
        ([""] * 200, False),
    ],
)
def test_prose_is_told_from_codes_and_kinds(cells: list[str], is_text: bool) -> None:
    rows = [[str(number), cell] for number, cell in enumerate(cells)]
    assert text_columns(rows) == ({1} if is_text else frozenset())
