from __future__ import annotations

import pytest

from viz.citations import CitationLabel
from viz.markdown import blocks

HOSTILE = [
    ("image", "![x](http://evil.example/p.png)", ["<img"]),
    ("script", "<script>alert(1)</script>", ["<script"]),
    ("handler", '<b onclick="x()">hi</b>', ["<b "]),
    ("form", '<form action="http://evil.example"><input></form>', ["<form", "<input"]),
    ("style", '<style>body{display:none}</style><p style="position:fixed">x</p>', ["<style", "<p style"]),
    ("link", "[click](javascript:alert(1))", ['href="javascript', "<a href"]),
    ("iframe", "<iframe src=http://evil.example></iframe>", ["<iframe"]),
]


@pytest.mark.parametrize(("name", "text", "forbidden"), HOSTILE, ids=[name for name, _, _ in HOSTILE])
def test_nothing_in_an_answer_can_run_or_fetch(name: str, text: str, forbidden: list[str]) -> None:
    html = "".join(blocks(text, {}))
    assert not [each for each in forbidden if each in html]


def test_a_citation_becomes_a_button_only_when_its_source_exists() -> None:
    html = "".join(blocks("Paid in 45 days [1], not in 30 [7].", {1: CitationLabel('Contract "A" <b>')}))
    assert 'data-cite="1"' in html
    assert "[7]" in html
    assert "<b>" not in html


def test_amounts_and_places_in_a_table_do_not_break() -> None:
    text = "| a | b | c |\n|---|---|---|\n| −$26,667 million (−21.5 %) | [1] p. 4 | The year 2023 was good |"
    html = "".join(blocks(text, {1: CitationLabel("a")}))
    assert '<td class="short">−$26,667 million (−21.5 %)</td>' in html
    assert html.count('<td class="short">') == 2


def test_code_keeps_its_brackets() -> None:
    html = "".join(blocks("```\nrow[1]\n```\n\nand `x[1]` but [1]", {1: CitationLabel("a")}))
    assert html.count("data-cite") == 1
    assert "row[1]" in html


def test_a_growing_answer_keeps_its_finished_blocks() -> None:
    text = "# Terms\n\nPaid in 45 days.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    final = blocks(text, {})
    assert len(final) == 4
    for end in range(len(text)):
        grown = blocks(text[:end], {})
        settled = max(0, len(grown) - 1)
        assert grown[: min(settled, 2)] == final[: min(settled, 2)]
