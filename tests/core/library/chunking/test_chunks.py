from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language.tokens import count_tokens
from core.library.chunking.chunks import Chunk, chunk_structure
from core.library.extracted import Block
from core.library.structure.sections import structure_of
from core.library.tables.records import Table
from core.setting_groups import Chunking

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

titles = st.sampled_from(
    ["PART I", "Item 1. Business", "1. Scope", "1.1 Term", "2. Price", "Risks", "Exhibits", "נספח א'"]
)
outlined = blocks | st.builds(
    Block, text=titles, kind=st.just("heading"), level=st.integers(0, 4), page=st.none() | st.integers(1, 4)
)


def visible(text: str) -> Counter[str]:
    return Counter("".join(text.split()))


def chunk(blocks: list[Block], budget: Chunking) -> list[Chunk]:
    return chunk_structure(structure_of(blocks), budget)


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


@settings(max_examples=150, deadline=None)
@given(st.lists(outlined, max_size=12))
def test_no_chunk_crosses_a_section_of_the_first_two_levels(document: list[Block]) -> None:
    structure = structure_of(document)
    for piece in chunk_structure(structure, SMALL):
        inside = [
            each for each in structure.paragraphs
            if each.kind != "heading" and each.start < each.end and each.start < piece.end and each.end > piece.start
        ]  # fmt: skip
        assert len({tuple(structure.around(each.place)[:2]) for each in inside}) <= 1
        assert len({each.role for each in inside}) <= 1
        assert all(list(each.path[: len(piece.path)]) == piece.path for each in inside)
        assert piece.section == (piece.path[-1] if piece.path else None)


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


def test_a_chunk_knows_the_number_of_its_table() -> None:
    tables = [Block(text="\n".join(f"Row {n} | {n}" for n in range(30)), kind="table", table=Table()) for _ in range(2)]
    chunks = chunk([Block(text="Before."), tables[0], Block(text="Between the two tables."), tables[1]], SMALL)
    assert {piece.table for piece in chunks if "Row" in piece.text} == {0, 1}
    assert chunks[0].text.startswith("Before.\n\nRow 0")
    assert [piece.table for piece in chunks] == sorted(piece.table or 0 for piece in chunks)
    assert all("Between" not in piece.text or piece.table == 1 for piece in chunks)


def test_a_caption_that_stands_above_its_table_is_said_once() -> None:
    caption = Block(text="Table 2: People by town")
    header = "Table 2: People by town (thousands)\nTown | People"
    [piece] = chunk([caption, Block(text="Haifa | 285", kind="table", header=header)], Chunking())
    assert piece.text == "Table 2: People by town\n\n(thousands)\nTown | People\nHaifa | 285"
    [alone] = chunk([Block(text="Another line."), Block(text="Haifa | 285", kind="table", header=header)], Chunking())
    assert alone.text.count("Table 2: People by town") == 1


def test_the_line_before_a_table_goes_with_it_and_other_prose_does_not() -> None:
    rows = "\n".join(f"Town number {n} | {n * 1000} people" for n in range(25))
    blocks = [Block(text=PROSE), Block(text="People by town:"), Block(text=rows, kind="table"), Block(text=PROSE)]
    texts = [piece.text for piece in chunk(blocks, Chunking())]
    assert texts[1].startswith("People by town:\n\nTown number 0")
    assert [text.startswith("The committee") for text in texts] == [True, False, True]


def test_a_tiny_rest_joins_the_chunk_before() -> None:
    rows = Block(text="\n".join(f"Row number {n} of this table | {n}" for n in range(14)), kind="table")
    note = Block(text="All of this was counted in the spring, by hand.")
    [piece] = chunk([rows, note], Chunking())
    assert piece.text.endswith(note.text)
    assert len(chunk([rows, Block(text=PROSE)], Chunking())) == 2


def test_a_tiny_rest_of_another_section_stays_alone_though_a_repeated_heading_stands_before_it() -> None:
    again = Block(text="Item 1. Business", kind="heading")
    blocks = [again, Block(text="a | b", kind="table"), again, Block(text="PART I", kind="heading"), Block(text="So.")]
    assert [piece.section for piece in chunk(blocks, SMALL)] == ["Item 1. Business", "PART I"]


def test_a_new_page_begins_a_chunk_when_the_last_is_full_enough() -> None:
    budget = Chunking(max_tokens=100, overlap_tokens=0)
    long, short = PROSE * 2, PROSE[:60]
    assert count_tokens(long) > 60 > count_tokens(short)
    assert [piece.page for piece in chunk([Block(text=long, page=1), Block(text=PROSE, page=2)], budget)] == [1, 2]
    [piece] = chunk([Block(text=short, page=1), Block(text=PROSE, page=2)], budget)
    assert (piece.page, piece.page_end) == (1, 2)


def test_roles_are_not_mixed() -> None:
    signed = "In witness whereof the parties have signed.\n\nBy: ____________"
    chunks = cut(f"{PROSE}\n\n{signed}")
    assert [piece.role for piece in chunks] == ["body", "signatures"]


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
    count_tokens("")  # the token ranks are loaded once per process
    started = time.process_time()
    chunks = chunk([Block(text=page, page=number) for number in range(300)], Chunking())
    assert time.process_time() - started < 2
    assert len(chunks) > 300
