"""Tests how many quotations are taken from each document, and the text that is made of them."""

from __future__ import annotations

from core.answering.quotations import by_document, manner_of, spread_of, written
from core.events import Quote
from core.personality.rules import Rules
from core.records.answer import Manner
from core.setting_groups import ModeName

A, B, C = (Quote(number=n, item_id=f"i{n}", text=text) for n, text in ((1, "One."), (2, "Two."), (1, "Three.")))
TITLES = {1: "First", 2: "Second"}


def test_quick_quotes_two_at_most_however_long_answers_are_wished_for() -> None:
    assert [spread_of("quick", Rules(length=length)).total for length in ("concise", "balanced", "detailed")] == [
        1,
        2,
        2,
    ]


def test_wider_modes_and_longer_answers_quote_more_of_each_document() -> None:
    modes: tuple[ModeName, ...] = ("enhanced", "deep")
    for mode in modes:
        spreads = [spread_of(mode, Rules(length=length)) for length in ("concise", "balanced", "detailed")]
        assert [each.total for each in spreads] == sorted({each.total for each in spreads})
        assert all((each.of_source or 0) < each.total for each in spreads)


def test_quotations_of_a_document_stand_together() -> None:
    assert by_document([A, B, C]) == [A, C, B]


def test_quotations_are_blocks_with_their_numbers() -> None:
    text = written([A, B], TITLES, Manner(), "Before.", ["After."])
    assert text == "Before.\n\n> One. [1]\n\n> Two. [2]\n\nAfter."


def test_a_list_and_names_in_the_flow_where_the_personality_wants_them() -> None:
    manner = manner_of(Rules(structure="bullets", citations="conversational"))
    assert written([A, B], TITLES, manner) == "- First: One. [1]\n- Second: Two. [2]"
