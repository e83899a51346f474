"""Tests that units and currencies in headings are read only where they are stated."""

from __future__ import annotations

import pytest

from core.figures.tables.units_of_measure import currency_of_head, measure_in, own_unit, spoken, without_units


@pytest.mark.parametrize(
    ("head", "unit", "currency", "plain"),
    [
        ("Lead (mg/kg)", "mg/kg", None, "Lead"),
        ("Freight · kt", "kt", None, "Freight"),
        ("Power (kWh)", "kWh", None, "Power"),
        ("Price (ILS)", None, "ILS", "Price"),
        ("Besteed (€)", None, "EUR", "Besteed"),
        ("Pris (NOK)", None, "NOK", "Pris"),
        ("length_km", "km", None, "length"),
        ("price_eur", None, "EUR", "price"),
        ("面积（平方米）", "平方米", None, "面积"),
        ("Base €/MWh", "€/MWh", None, "Base"),
        ("Honey (EUR/kg)", "EUR/kg", None, "Honey"),
        ("European sales", None, None, "European sales"),
        ("Results (b)", None, None, "Results (b)"),
        ("Assets (restated)", None, None, "Assets (restated)"),
        ("Sales (m)", None, None, "Sales (m)"),
    ],
)
def test_a_head_states_its_unit(head: str, unit: str | None, currency: str | None, plain: str) -> None:
    assert (measure_in(head), currency_of_head(head), without_units(head)) == (unit, currency, plain)


def test_identifiers_are_said_in_words() -> None:
    assert [spoken(head) for head in ("warden.name", "lapCount", "Net sales")] == [
        "warden name",
        "lap count",
        "Net sales",
    ]


def test_a_figure_carries_its_own_unit() -> None:
    assert [own_unit(text) for text in ("275 bps", "1.8x", "12%", "x")] == ["bps", "x", None, None]
