"""Tests that Markdown written by a model cannot load or link to external addresses, even in permissive parsers."""

from __future__ import annotations

import random

import pytest
from markdown_it import MarkdownIt

from tests.hostile_answers import ADDRESS, ALLOWED, HOSTILE, active_in, active_in_html
from viz.neutral_markdown import addresses_of, is_neutral, neutral_markdown

PIECES = (
    "`", "``", "\n", "\n\n", "> ", "- ", "    ", "*", "_", "\\", "[", "]", "(", ")", "<", ">", "!", "|", "[1]", "word ",
    " ", "```\n", "| a | b |\n|---|---|\n| ", "&#104;ttp://e.example", "1. ", "# ",
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_is_hostile_stays_active(text: str) -> None:
    assert active_in(text) or active_in_html(text), "it is a case at all"
    neutral = neutral_markdown(text, ALLOWED)
    assert active_in(neutral) == []
    assert not [each for each in active_in_html(neutral) if each.startswith("<")], "nor where it is taken for HTML"
    assert neutral_markdown(neutral, ALLOWED) == neutral


def test_nothing_made_of_hostile_pieces_stays_active() -> None:
    chance = random.Random(7)
    for _ in range(1_500):
        text = "".join(chance.choice((*HOSTILE, *PIECES)) for _ in range(chance.randint(2, 6)))
        neutral = neutral_markdown(text, ALLOWED)
        assert is_neutral(neutral, ALLOWED), (text, neutral)
        assert active_in(neutral) == [], (text, neutral)
        assert active_in(neutral_markdown(neutral, ALLOWED)) == [], "done again, as in a transcript"


def test_the_address_can_be_read_and_citations_stay() -> None:
    told = neutral_markdown(f"See ![the plan]({ADDRESS}) and [here]({ADDRESS}) [1], [2]({ADDRESS}).")
    assert told == f"See the plan (`{ADDRESS}`) and here (`{ADDRESS}`) [1], [2] (`{ADDRESS}`)."


def test_what_leads_nowhere_is_left_alone() -> None:
    for text in (
        "**Paid** in 45 days [1], 3 < 4 and 5 > 4.\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "```html\n<script>alert(1)</script>\n![x](http://e.example)\n```\n\nand `[x](http://e.example)` [1]",
        "    <b> in an indented block\n\nText [1].",
        "Ratio 1:2 [1][2]. A [note] in brackets; it's a_b_c.",
    ):
        assert neutral_markdown(text) == text


def test_a_link_leads_to_an_address_of_a_cited_source_letter_for_letter() -> None:
    good = next(iter(ALLOWED))
    kept = f"[page]({good}), {good}. <{good}> and ({good})"
    assert neutral_markdown(kept, ALLOWED) == kept
    html = MarkdownIt().render(neutral_markdown(f"[a]({good}?q=SECRET) [b]({good}#SECRET) [c]({good}/x)", ALLOWED))
    assert "<a" not in html


def test_addresses_are_those_of_sources_and_of_their_passages() -> None:
    class Text:
        text = "The portal (https://data.example/a_(b)) and http://old.example/x?y=1."

    class Web:
        url = "https://data.example/page"
        passages = (Text(),)

    assert addresses_of([Web()]) == {
        "https://data.example/page", "https://data.example/a_(b)", "http://old.example/x?y=1"
    }  # fmt: skip
