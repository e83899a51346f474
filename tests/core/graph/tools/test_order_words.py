"""Tests how commands on whole documents are recognised in a user's own words and split into their parts."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.graph.state import Asked, Found, State
from core.graph.tools.order_words import clauses_of, order_of
from tests.core.graph.turn_states import turn_of


def state(question: str, text: str = "", title: str = "Open government data", filename: str = "open-data.pdf") -> State:
    source = Source(
        number=1,
        document_id="doc_1",
        title=title,
        filename=filename,
        score=1.0,
        passages=[Passage(item_id="mem_1", text="x", score=1.0)],
    )
    return turn_of(question, Asked(source_text=text), Found(sources=[source]))


@pytest.mark.parametrize(
    ("question", "text", "order"),
    [
        ("Summarize open Government DATA, please", "", "Summarize , please"),
        ("Summarize open-data.pdf and open-data", "", "Summarize and"),
        ("Summarize reopen government database", "", "Summarize reopen government database"),
        ("Audit this: we use open data.gov.il daily.", "we use open data.gov.il daily.", "Audit this:"),
        ('Audit @"Open government data"\nText of a letter.', "Text of a letter.", "Audit"),
    ],
)
def test_names_and_audited_text_are_no_order(question: str, text: str, order: str) -> None:
    assert order_of(state(question, text)) == order


@pytest.mark.parametrize(
    ("order", "clauses"),
    [
        ("Summarize it", ["Summarize it"]),
        (
            "Summarize it, and then tell the time in Tokyo",
            ["Summarize it", "tell the time in Tokyo", "Summarize it, and then tell the time in Tokyo"],
        ),
        (
            "Summarize it and which hospitals are there?",
            ["Summarize it", "which hospitals are there", "Summarize it and which hospitals are there?"],
        ),
        (
            "סכמו את הנוהל. כמה בתי חולים יש?",
            ["סכמו את הנוהל", "כמה בתי חולים יש", "סכמו את הנוהל. כמה בתי חולים יש?"],
        ),
    ],
)
def test_parts_come_before_the_whole_the_shortest_first(order: str, clauses: list[str]) -> None:
    assert clauses_of(order) == clauses
