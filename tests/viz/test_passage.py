from __future__ import annotations

import pytest

from viz.passage import highlight


@pytest.mark.parametrize(
    ("text", "quote", "expected"),
    [
        ("Paid within 45 days.", "within 45 days", "Paid <mark>within 45 days</mark>."),
        ("Paid within\n 45   days.", "within 45 days", "Paid <mark>within\n 45   days</mark>."),
        ("a < b & c", "b & c", "a &lt; <mark>b &amp; c</mark>"),
        ("תנאי תשלום: 45 ימים", "45 ימים", "תנאי תשלום: <mark>45 ימים</mark>"),
        ("nothing here", "elsewhere", "nothing here"),
        ("nothing asked", "", "nothing asked"),
        ("brackets (a+b)*", "(a+b)*", "brackets <mark>(a+b)*</mark>"),
    ],
)
def test_the_quote_is_marked_and_everything_is_escaped(text: str, quote: str, expected: str) -> None:
    assert highlight(text, quote) == expected
