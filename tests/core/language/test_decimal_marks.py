"""Tests decimal commas and points between thousands in running text."""

from __future__ import annotations

import pytest

from core.answering.prose.values import values_in
from core.language.decimal_marks import with_decimal_points
from core.language.entities.quantities import quantities


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Wir haben 1.200 Mitarbeiter.", "Wir haben 1,200 Mitarbeiter."),
        ("Der Anteil ist 12,5 Prozent von 1.234.567 Stück", "Der Anteil ist 12.5 Prozent von 1,234,567 Stück"),
        ("Le montant est de 1,250 litres", "Le montant est de 1.250 litres"),
        ("Выручка составила 3.500 рублей", "Выручка составила 3,500 рублей"),
        ("CHF 1'200.50", "CHF 1,200.50"),
        ("It rose to 1.187,50 in May", "It rose to 1,187.50 in May"),
        ("The length is 1.200 m and the price is 12,500", "The length is 1.200 m and the price is 12,500"),
        ("am 30.09.2027 in Abschnitt 3.2.1 der Anlage", "am 30.09.2027 in Abschnitt 3.2.1 der Anlage"),
        ("١٢٬٥٠٠", "12,500"),
    ],
)
def test_figures_are_written_as_in_english_and_stay_in_place(text: str, read: str) -> None:
    assert with_decimal_points(text) == read
    assert len(read) == len(text)


def test_figures_of_german_sentences() -> None:
    text = "Der Umsatz betrug 1.187,50 Euro bei 1.200 Mitarbeitern."
    assert [each.low for each in quantities(text)] == [1187.5, 1200.0]
    assert [text[each.start : each.end] for each in values_in(text) if each.number] == ["1.187,50 Euro", "1.200"]


def test_indian_groups_are_one_number() -> None:
    assert [each.low for each in quantities("They paid 12,34,567 rupees")] == [1234567.0]
