"""Reads exchange rates in questions, and converts only amounts in their currencies."""

from __future__ import annotations

import pytest

from core.datasets.query.model import Conversion, DataQuery, Rate
from core.datasets.words.phrases.conversions import converted, without_rate
from core.datasets.words.understanding import Absent, Understood
from tests.core.datasets.words.test_questions import SHOPS, TEAS

TOTAL = DataQuery.model_validate({"dataset": "teas", "measures": [{"function": "sum", "column": "Amount"}]})


@pytest.mark.parametrize(
    ("text", "left", "one", "equals", "of", "to"),
    [
        ("Total in USD at 1 EUR = 1.1 USD by harbour", "Total by harbour", "EUR", 1.1, "USD", "USD"),
        ("Total in euros at 1.1 dollars per euro", "Total", "EUR", 1.1, "USD", "EUR"),
        ("Total at $1 = €0.9", "Total", "USD", 0.9, "EUR", "EUR"),
        ("סך הסכום בדולרים לפי 3.7 שקלים לדולר", "סך הסכום", "USD", 3.7, "ILS", "USD"),
        ("Total in 2024", "Total in 2024", "", 0, "", ""),
        ("Claims at 3 EUR per unit", "Claims at 3 EUR per unit", "", 0, "", ""),
    ],
)
def test_a_rate_is_read_and_cut_out(text: str, left: str, one: str, equals: float, of: str, to: str) -> None:
    question, given = without_rate(text)
    assert question == left
    assert (given is None) == (not to)
    if given:
        assert (given.one, given.equals, given.of, given.to) == (one, equals, of, to)


def test_a_bare_rate_is_quoted_as_markets_quote_it() -> None:
    _, given = without_rate("in USD at a rate of 1.1")
    assert given
    found = converted(Understood(TOTAL, is_sure=True), given, [TEAS])
    assert isinstance(found, Understood)
    assert found.query.convert == Conversion(to="USD", rates=[Rate(one="EUR", equals=1.1, of="USD")])
    _, given = without_rate("בדולרים בשער 3.7")
    assert given
    query = DataQuery.model_validate({"dataset": "shops", "measures": [{"function": "sum", "column": "סכום"}]})
    found = converted(Understood(query, is_sure=True), given, [SHOPS])
    assert isinstance(found, Understood)
    assert found.query.convert == Conversion(to="USD", rates=[Rate(one="USD", equals=3.7, of="ILS")])


def test_a_rate_for_other_currencies_is_said_not_to_fit() -> None:
    _, given = without_rate("in ILS at 1 USD = 3.7 ILS")
    assert given
    found = converted(Understood(TOTAL, is_sure=True), given, [TEAS])
    assert isinstance(found, Absent)
    assert (found.kind, found.available) == ("rate", ("EUR",))
