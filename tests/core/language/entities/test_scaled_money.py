"""Tests amounts of money whose scale is one or two letters: "$80bn", "£3.2m"."""

from __future__ import annotations

import pytest

from core.language.entities.facts import facts
from core.language.entities.quantities import quantities


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("sales of $80bn", 80e9, "USD"),
        ("sales of $80 bn a year", 80e9, "USD"),
        ("a £3.2m fee", 3.2e6, "GBP"),
        ("£3.2mn was paid", 3.2e6, "GBP"),
        ("a grant of €20k", 20e3, "EUR"),
        ("a fund of $1.5tn", 1.5e12, "USD"),
    ],
)
def test_a_letter_behind_money_scales_it(text: str, value: float, unit: str) -> None:
    (found,) = quantities(text)
    assert (found.low, found.unit) == (pytest.approx(value), unit)
    assert facts(text).names == frozenset()


@pytest.mark.parametrize(("text", "value"), [("a wall of 5 m", 5.0), ("a fee of $5 monthly", 5.0)])
def test_elsewhere_a_letter_is_none(text: str, value: float) -> None:
    assert [each.low for each in quantities(text)] == [value]


@pytest.mark.parametrize("text", ["Form 10-K", "the K-80 valve", "a 4K screen"])
def test_a_code_stays_a_code(text: str) -> None:
    assert quantities(text) == ()


def test_exceeded_is_a_least() -> None:
    (found,) = quantities("Revenue exceeded $80 billion.")
    assert found.limit == "least"


def test_a_number_of_thousands_of_digits_is_none() -> None:
    assert [one.low for one in quantities(f"{'9' * 4000} and 12 km")] == [12]
