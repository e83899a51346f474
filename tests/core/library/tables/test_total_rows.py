"""Tests how total rows are detected, by name and by figures."""

from __future__ import annotations

import pytest

from core.language.total_labels import is_called_total
from core.library.tables.cells import cell, printed_decimals
from core.library.tables.records import Cell
from core.library.tables.total_rows import is_sum


@pytest.mark.parametrize(
    "label",
    ["Total", "Grand total", "Subtotal¹", "Total revenue", 'סה"כ', "Summe", "Gesamtsumme", "Umsatz gesamt", "Insgesamt",
     "Totale ricavi", "Sous-total", "Totales", "Totais", "Totaal", "Итого", "Всего по группе", "Razem", "المجموع",
     "合计", "総計", "합계"],
)  # fmt: skip
def test_totals_are_known_by_name(label: str) -> None:
    assert is_called_total(label)


@pytest.mark.parametrize("label", ["Bolts", "Summer", "Totally Spies", "Gesamtschule Nord", "Somalia", "计算机", ""])
def test_other_names_are_no_totals(label: str) -> None:
    assert not is_called_total(label)


def row(*texts: str) -> list[Cell]:
    return [cell(text) for text in texts]


def test_a_last_row_adds_up_the_others_in_every_column() -> None:
    parts = [row("10", "1.5", ""), row("20", "2.5", "7"), row("30", "3.0", "5")]
    assert is_sum(row("60", "7.0", "12"), parts)
    assert not is_sum(row("60", "8.0", "12"), parts)
    assert is_sum(row("60", "", ""), parts)


def test_two_figures_that_meet_by_chance_are_no_evidence() -> None:
    assert not is_sum(row("3"), [row("1"), row("2")])
    assert is_sum(row("3", "30"), [row("1", "10"), row("2", "20")])


def test_sums_may_be_rounded_in_their_last_digit_but_small_counts_are_exact() -> None:
    assert is_sum(row("1,001"), [row("300"), row("300"), row("400")])
    assert not is_sum(row("7"), [row("1"), row("2"), row("3")])


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [("1.187,50", 1187.5, 2), ("1.200", 1200.0, 0), ("1.200", 1.2, 3), ("1,200", 1200.0, 0), ("0.00", 0.0, 2),
     ("$2.3 billion", 2.3e9, 1), ("38²", 38.0, 0), ("(12.5)%", -12.5, 1), ("1 200,50", 1200.5, 2)],
)  # fmt: skip
def test_decimals_are_those_printed(text: str, value: float, decimals: int) -> None:
    assert printed_decimals(text, value) == decimals
