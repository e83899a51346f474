from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.tokens import count_tokens
from core.library.chunking import Chunk, chunk
from core.library.extracted import Block
from core.settings import Chunking

SMALL = Chunking(max_tokens=60, overlap_tokens=12)

FRAGMENTS = [
    "report",
    "budget",
    "שלום",
    "תקציב",
    "המועצה",
    "2024",
    "3.14",
    "Inc.",
    "e.g.",
    "naïve",
    "😀",
    "-",
    "•",
    "1.",
    "|",
    "#",
    "**",
    "```",
    ".",
    "?",
    "!",
    "עמ'",
    '"x"',
]
words = st.sampled_from([*FRAGMENTS, "\n", "\n\n", "\t", ""])
texts = st.lists(words | st.text(max_size=12), max_size=60).map(" ".join)
kinds = st.sampled_from(["heading", "paragraph", "list", "code", None])
headers = st.none() | st.sampled_from(["name | amount", "שם | סכום", "column " * 80])
blocks = st.builds(Block, text=texts, kind=kinds, page=st.none() | st.integers(1, 9)) | st.builds(
    Block, text=texts, kind=st.just("table"), header=headers
)


def visible(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def cut(text: str, budget: Chunking = SMALL) -> list[Chunk]:
    return chunk([Block(text=text)], budget)


@settings(max_examples=150, deadline=None)
@given(st.lists(blocks, max_size=8))
def test_no_budget_is_exceeded_and_no_text_lost(document: list[Block]) -> None:
    chunks = chunk(document, SMALL)
    assert all(piece.token_count == count_tokens(piece.text) <= SMALL.max_tokens for piece in chunks)
    kept = visible("".join(piece.text for piece in chunks))
    assert not visible("".join(block.text + (block.header or "") for block in document)) - kept
    assert [piece.position for piece in chunks] == list(range(len(chunks)))
    assert chunk(document, SMALL) == chunks


@settings(max_examples=100, deadline=None)
@given(st.lists(st.builds(Block, text=texts), max_size=6))
def test_offsets_point_into_the_document(document: list[Block]) -> None:
    text = "\n\n".join(block.text for block in document)
    for piece in chunk(document, SMALL):
        stretch = text[piece.start : piece.end]
        assert not visible(piece.text) - visible(stretch) or "|" in piece.text


PROSE = "The committee met and agreed on the budget for the coming year. " * 3
HEBREW = "הוועדה התכנסה ואישרה את התקציב לשנה הבאה ברוב קולות. " * 2


@pytest.mark.parametrize(
    "heading",
    ["CHAPTER 3: METHODOLOGY", "1. Introduction", "2.3 Results of the Survey", "## Methods", "**Findings**",
     "Key Findings", "פרק ג: שיטת המחקר", "רקע היסטורי", "מבוא", "סעיף 4"],
)  # fmt: skip
def test_a_heading_lands_with_its_text(heading: str) -> None:
    filler = "\n\n".join(f"Line {n} of prose that says something ordinary, as prose does." for n in range(3))
    chunks = cut(f"{filler}\n\n{heading}\n\n{PROSE}")
    holder = next(piece for piece in chunks if heading in piece.text)
    assert holder.text.startswith(heading)
    assert "committee" in holder.text
    assert holder.section == heading.strip("#* ")
    assert holder.content_type == "paragraph"


@pytest.mark.parametrize("heading", ["Background", "רקע"])
def test_a_heading_lands_with_a_paragraph_over_budget(heading: str) -> None:
    chunks = cut(f"{heading}\n\n{PROSE * 4}{HEBREW}")
    assert chunks[0].text.startswith(f"{heading}\n\nThe committee")
    assert len(chunks) > 3
    assert {piece.section for piece in chunks} == {heading}


def test_consecutive_numbers_are_a_list() -> None:
    chunks = cut("1. Apples\n\n2. Pears\n\n3. Plums")
    assert [(piece.content_type, piece.section) for piece in chunks] == [("list", None)]


def test_many_short_lines_are_not_headings() -> None:
    assert {
        piece.content_type
        for piece in cut("\n\n".join(["Ada Lovelace", "Alan Turing", "Grace Hopper", "Niklaus Wirth"]))
    } == {"paragraph"}


def test_a_section_of_the_first_two_levels_has_chunks_of_its_own() -> None:
    chunks = cut("# First\n\nShort.\n\n## Inner\n\nShort too.\n\n# Second\n\nShort.")
    assert [piece.path for piece in chunks] == [["First"], ["First", "Inner"], ["Second"]]
    assert [piece.section for piece in chunks] == ["First", "Inner", "Second"]


def test_tiny_siblings_below_share_a_chunk_and_are_cited_by_what_is_around_them() -> None:
    deep = "# A\n\n## B\n\n### C\n\nOne line.\n\n### D\n\nAnother line."
    [piece] = cut(deep)
    assert (piece.path, piece.section) == (["A", "B"], "B")
    first, second = cut(deep.replace("One line.", PROSE[:200]))
    assert (first.section, second.section) == ("C", "D")


def test_pieces_of_one_paragraph_overlap_by_sentences() -> None:
    sentences = [f"Sentence {number} of the report is here." for number in range(40)]
    chunks = cut(" ".join(sentences))
    for before, after in pairwise(chunks):
        shared = before.text.rsplit(". ", 1)[-1]
        assert after.text.startswith(shared)
        assert before.end > after.start
        assert count_tokens(before.text[after.start - before.start :]) <= SMALL.overlap_tokens


def test_a_table_is_cut_between_rows_and_repeats_its_headings() -> None:
    rows = [f"Town {number} | {number * 1000} | {number}%" for number in range(40)]
    chunks = chunk([Block(text="\n".join(rows), kind="table", header="Place | People | Share", sheet="Census")], SMALL)
    assert len(chunks) > 3
    for piece in chunks:
        lines = piece.text.split("\n")
        assert lines[0] == "Place | People | Share"
        assert set(lines[1:]) <= set(rows)
        assert (piece.content_type, piece.section) == ("table", "Census")
    assert sum(len(piece.text.split("\n")) - 1 for piece in chunks) == len(rows)


def test_a_markdown_table_repeats_its_headings() -> None:
    rows = "\n".join(f"| item {number} | {number} |" for number in range(30))
    chunks = cut(f"| name | count |\n| --- | --- |\n{rows}")
    assert len(chunks) > 2
    assert all(piece.text.startswith("| name | count |\n| --- | --- |\n| item") for piece in chunks)


def test_a_list_is_cut_between_items() -> None:
    items = [f"- item number {number} has a short\n  second line" for number in range(20)]
    chunks = cut("\n".join(items))
    assert len(chunks) > 2
    for piece in chunks:
        assert piece.text.startswith("- item")
        assert piece.text.endswith("second line")


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("- one\n- two", "list", False),
        ("a) first\nb) second", "list", False),
        ("א. ראשון\nב. שני", "list", False),
        ("| a | b |\n| 1 | 2 |", "table", False),
        ("[12] Wagner, G. Climate Shock. Princeton, 2015.", "citation", False),
        ("# References\n\nWagner, G. (2015). Climate Shock.", "citation", False),
        ("An ordinary sentence stands here.", "paragraph", False),
        ("```python\n# not a heading\n\nx = 1\n```", "paragraph", True),
        ("def total(a, b):\n    return a + b;\nimport os", "paragraph", True),
        ("A Lone Title", "heading", False),
    ],
)
def test_types(text: str, kind: str, code: bool) -> None:
    [piece] = cut(text)
    assert (piece.content_type, piece.has_code) == (kind, code)


def test_pages() -> None:
    [piece] = chunk([Block(text="One sentence.", page=3), Block(text="Another one.", page=4)], SMALL)
    assert (piece.page, piece.page_end) == (3, 4)
    assert chunk([], SMALL) == []


@pytest.mark.parametrize("text", ["a" * 20_000, "א" * 5_000, "😀" * 2_000, " \n" * 5_000, "אֱ" * 3000])
def test_pathological_text_stays_within_budget(text: str) -> None:
    chunks = cut(text)
    assert all(piece.token_count <= SMALL.max_tokens for piece in chunks)
    assert not visible(text) - visible("".join(piece.text for piece in chunks))


def test_three_hundred_pages_take_less_than_two_seconds() -> None:
    page = "\n\n".join([f"Section {n}\n\n{PROSE}\n\n{HEBREW}\n\n{PROSE * 2}" for n in range(3)])
    count_tokens("")  # the ranks are loaded once a process
    started = time.process_time()
    chunks = chunk([Block(text=page, page=number) for number in range(300)], Chunking())
    assert time.process_time() - started < 2
    assert len(chunks) > 300
