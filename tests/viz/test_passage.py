from __future__ import annotations

from typing import get_args

import pytest

from core.events import Passage, Source
from core.words import LANGUAGES
from viz.labels import label
from viz.passage import around, highlight, passage


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


@pytest.mark.parametrize("reason", get_args(Passage.model_fields["accepted_by"].annotation))
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_let_a_passage_in_its_card_says_why(language: str, reason: str) -> None:
    chosen = Passage(item_id="mem_1", text="A pump stands there.", accepted_by=reason)
    source = Source(number=1, document_id="doc_1", filename="a.md", title="A", score=1.0, passages=[chosen])
    card = passage(
        source=source, chosen=chosen, title="A", filename="a.md", document_id="doc_1", text=chosen.text, page=None,
        section=None, quote="", language=language,
    )  # fmt: skip
    assert label(f"accepted_{reason}", language) in card
