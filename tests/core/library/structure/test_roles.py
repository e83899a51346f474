from __future__ import annotations

import pytest

from core.library.extracted import Block
from core.library.structure.sections import structure_of

COVER = [
    "UNITED STATES SECURITIES AND EXCHANGE COMMISSION",
    "Commission File Number: 1-2345",
    "Lantern Corp. (Exact name of registrant as specified in its charter)",
    "Indicate by check mark whether the registrant is a shell company. Yes ☐ No ☒",
    "There were 12,000,000 shares outstanding on 3 May 2024.",
]
LINES = ["Item 1. Business | 4", "Item 1A. Risk Factors | 9", "Item 2. Properties | 15", "Item 3. Claims | 16",
         "Item 4. Safety | 16", "Item 5. Market | 21"]  # fmt: skip
PROSE = "We make lamps for streets and squares, and sell them to towns in eleven countries through our own people. " * 3


def roles(*blocks: Block) -> list[str]:
    return [paragraph.role for paragraph in structure_of(list(blocks)).paragraphs]


def test_the_form_on_the_first_page_is_cover_and_what_follows_is_not() -> None:
    pages = [Block(text=line, page=1) for line in COVER]
    assert roles(*pages, Block(text=PROSE, page=2)) == ["cover"] * len(COVER) + ["body"]


def test_one_phrase_of_a_cover_makes_none() -> None:
    assert roles(Block(text=COVER[1], page=1), Block(text=PROSE, page=1)) == ["body", "body"]


@pytest.mark.parametrize("title", ["TABLE OF CONTENTS", "תוכן העניינים"])
def test_contents_under_their_title(title: str) -> None:
    table = Block(text="\n".join(LINES[:4]), kind="table", page=2)
    assert roles(Block(text=title, page=2), table, Block(text=PROSE, page=2)) == ["contents", "contents", "body"]


def test_contents_without_a_title_need_leaders_or_more_lines() -> None:
    assert roles(Block(text="\n".join(LINES), kind="table", page=2)) == ["contents"]
    assert roles(Block(text="\n".join(LINES[:4]), kind="table", page=2)) == ["body"]
    led = "\n".join(line.replace(" | ", " ........ ") for line in LINES[:4])
    assert roles(Block(text=led, page=2)) == ["contents"]


def test_figures_are_a_table_in_any_order() -> None:
    rows = "Lamps | 40\nPoles | 12\nCables | 31\nSwitches | 7\nPosts | 22\nBulbs | 3\nBoxes | 90"
    rising = "\n".join(f"Town number {n} | {n}" for n in range(9))
    assert roles(Block(text=rows, kind="table", page=2), Block(text=rising, kind="table", page=2)) == ["body"] * 2


def test_signatures_begin_with_their_sentence() -> None:
    said = "Pursuant to the requirements of the Act, the registrant has duly caused this report to be signed."
    blocks = [Block(text=PROSE, page=8), Block(text=said, page=9), Block(text="/s/ Ada Lamp", page=9),
              Block(text="Ada Lamp, President", page=9), Block(text=PROSE, page=10)]  # fmt: skip
    assert roles(*blocks) == ["body", "signatures", "signatures", "signatures", "body"]


def test_hebrew_signatures() -> None:
    blocks = [Block(text="הסכם זה כפוף לדין הישראלי."), Block(text="ולראיה באו הצדדים על החתום:"),
              Block(text="חתימה: ____________")]  # fmt: skip
    assert roles(*blocks) == ["body", "signatures", "signatures"]


def test_an_auditors_signature_in_the_body_stays_there() -> None:
    assert roles(Block(text=PROSE, page=5), Block(text="/s/ Pine & Birch LLP", page=5)) == ["body", "body"]


def test_lists_of_exhibits() -> None:
    rows = "3.1 | Articles, incorporated by reference to Form S-1\n10.2 | Lease, filed herewith\n31.1 | Certification"
    assert roles(Block(text=rows, kind="table", page=30)) == ["exhibits"]


def test_statements_that_look_ahead_are_boilerplate() -> None:
    said = (
        "This release contains forward-looking statements. Many things could cause actual results to differ materially."
    )
    assert roles(Block(text=said, page=3), Block(text=PROSE, page=3)) == ["boilerplate", "body"]


def test_a_title_speaks_for_the_text_right_under_it() -> None:
    head = Block(text="Forward-Looking Statements", kind="heading", level=1, page=3)
    after = Block(text="Our Lamps", kind="heading", level=1, page=3)
    assert roles(head, Block(text=PROSE, page=3), after, Block(text=PROSE, page=3)) == [
        "boilerplate", "boilerplate", "body", "body",
    ]  # fmt: skip


def test_what_the_extractor_said_stays() -> None:
    assert roles(Block(text=PROSE, page=3, role="exhibits")) == ["exhibits"]


def test_numbered_sections_of_text_are_no_contents() -> None:
    blocks = [
        block
        for number in range(1, 12)
        for block in (
            Block(text=f"Section {number}", kind="heading", level=1),
            Block(text=f"Tank {number} holds {number * 37} litres."),
        )
    ]
    assert set(roles(*blocks)) == {"body"}
