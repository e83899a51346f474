"""Tests workbook charts whose data is in no cell that is read."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
import xlsxwriter

from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]


def _workbook(source: str, hidden: bool) -> bytes:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    shown, data = book.add_worksheet("Report"), book.add_worksheet("My data")
    shown.write_row(0, 0, ["Town", "Staff"])
    shown.write_row(1, 0, ["Acre", 8])
    data.write_row(0, 0, ["Region", "Sales"])
    data.write_row(1, 0, ["North", 0.31])
    if hidden:
        data.hide()
    chart = book.add_chart({"type": "column"})
    chart.add_series({
        "name": "Share",
        "categories": source.replace("$B", "$A"),
        "values": source,
        "values_data": [0.31],
        "categories_data": ["North"],
    })  # fmt: skip
    shown.insert_chart("D2", chart)
    book.close()
    return out.getvalue()


@pytest.mark.parametrize(
    ("source", "hidden", "is_added"),
    [("='My data'!$B$2:$B$2", True, True), ("='My data'!$B$2:$B$2", False, False), ("=Report!$B$2:$B$2", True, False)],
)
def test_a_chart_is_added_where_no_cell_that_is_read_has_its_figures(
    read: Read, source: str, hidden: bool, is_added: bool
) -> None:
    blocks = [block for block in read("made.xlsx", _workbook(source, hidden)).blocks if block.sheet == "Report"]
    assert [block.text for block in blocks][1:] == (["North | 0.31"] if is_added else [])
