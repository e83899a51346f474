"""Tests that a currency is assigned to money columns and never to columns of counts."""

from __future__ import annotations

import pytest

from core.figures.tables.currencies import column_currencies
from core.library.extract.table import table_block


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["Order", "Quantity", "Price", "Amount"], ["A", "34", "$120.00", "4,080.00"]], (None, "USD", "USD")),
        ([["Item", "On hand", "Unit price"], ["A", "34", "€120.00"], ["B", "2", "€10.00"]], (None, "EUR")),
        ([["(USD thousand)", "Sales", "Employees"], ["North", "340", "12"]], ("USD", None)),
        ([["", "2025", "2024"], ["Sales", "$340", "12"], ["Costs", "20", "7"]], ("USD", "USD")),
        ([["", "Less than 30 days", "Total"], ["Due", "$340", "$12"], ["Overdue", "20", "7"]], ("USD", "USD")),
        ([["In thousands", "2025", "Change ($)"], ["Sales", "$340", "12"]], ("USD", "USD")),
        ([["Item", "Value"], ["Fee", "£10"], ["Spread", "275 bps"], ["Loss", "(1,200)"]], (None,)),
        ([["Item", "Value"], ["Sales", "$10"], ["Costs", "4"], ["Profit", "6"]], ("USD",)),
        ([["Bid of", "Price (ILS)"], ["A", "12"], ["B", "14"]], ("ILS",)),
        ([["Teil", "Menge", "Preis"], ["Mutter", "3500", "€ 0,08"]], (None, "EUR")),
    ],
)
def test_columns_are_in_the_currency_of_their_cells_or_of_the_table(
    rows: list[list[str]], expected: tuple[str | None, ...]
) -> None:
    block = table_block(rows)
    assert block is not None
    assert block.table is not None
    assert column_currencies(block.table) == expected
