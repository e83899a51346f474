"""Tests that a remark on one row sets the unit of that row only."""

from __future__ import annotations

from core.figures.records import Origin, TableEvidence, TextEvidence
from core.figures.tables.cell_values import read
from core.figures.tables.grid import table_grid
from core.figures.tables.row_remarks import with_row_remarks
from core.library.extract.table import table_block

ROWS = [["Item", "Value"], ["Open pledges", "4,120"], ["Open seats", "31"]]


def test_the_row_that_a_sentence_begins_with_is_in_its_unit() -> None:
    block = table_block(ROWS)
    assert block is not None
    assert block.table is not None
    origin = Origin(1, "doc")
    text = TextEvidence(origin, "i", "As of May. Open pledges are shown in thousands of euros. Seats are counted.")
    (found,) = with_row_remarks([TableEvidence(origin, 0, block.table)], [text])
    sheet = table_grid(found)
    pledges, seats = read(sheet, (0, 0)), read(sheet, (1, 0))
    assert pledges is not None
    assert seats is not None
    assert (pledges.scale, pledges.currency) == (1e3, "EUR")
    assert (seats.scale, seats.currency) == (1.0, None)
