from __future__ import annotations

import pytest

from viz.passage import around, highlight


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


LONG = "Before it stood a sentence. " * 40
ROWS = "Year | Sum\n" + "\n".join(f"{year} | {year * 3}" for year in range(1900, 2000))


def test_a_preview_shows_what_stands_around_the_quote() -> None:
    text = f"{LONG}The fee is 45 shekels. {LONG}"
    shown = around(text, "The fee is 45 shekels.")
    assert "The fee is 45 shekels." in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 700
    assert around("Short.", "") == "Short."


def test_a_preview_cuts_no_row_of_a_table() -> None:
    shown = around(ROWS, "1950 | 5850")
    assert all(line.strip("…") in ROWS.splitlines() for line in shown.splitlines())
    assert "1950 | 5850" in shown.splitlines()
