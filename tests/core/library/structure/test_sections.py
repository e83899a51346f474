from __future__ import annotations

import pytest

from core.library.extracted import Block, Bookmark
from core.library.structure.sections import Structure, structure_of

TEXT = "The parties agree on what is written here, and nothing else that was said before binds either of them."
ENGLISH = f"""MASTER SERVICES AGREEMENT

This Agreement is made between Orrin Bay Ltd. and Quill & Tarn LLC.

1. Definitions

{TEXT}

1.1 "Services" means the work described in Schedule A.

2. Term
2.1 This Agreement begins on 1 April 2025 and lasts three years.
2.2 Renewal. Unless either party gives ninety days' notice, it is renewed for one year at a time.

3. Fees and Payment

3.1 Late Payment. Sums paid late bear interest at four per cent above the base rate from the due date.

4. Confidentiality. Each party keeps secret what it learns of the other's business, and uses it for nothing else.

5. Termination

{TEXT}

IN WITNESS WHEREOF, the parties have signed this Agreement.

By: ______________ Name: Mara Quinn

SCHEDULE A - SERVICES

1. Hosting of the booking system.

2. Support on working days between 8 and 18."""
HEBREW = """הסכם שירותים

שנערך ונחתם ביום 3 במרץ 2025 בין אורן מים בע"מ לבין תבור מערכות בע"מ.

פרק א' - כללי

1. הגדרות

בהסכם זה יהיו למונחים הבאים המשמעויות שלצידם, אלא אם כן משתמעת מההקשר משמעות אחרת.

2. תקופת ההסכם

2.1 ההסכם ייכנס לתוקף ביום 1 באפריל 2025 ויעמוד בתוקף שלוש שנים.

2.2 הארכה: ההסכם יוארך בשנה נוספת בכל פעם, אלא אם הודיע אחד הצדדים אחרת תשעים יום מראש.

פרק ב' - תמורה

סעיף 4.2 - ריבית

על סכום שלא שולם במועדו תיווסף ריבית של ארבעה אחוזים לשנה."""


def lines(structure: Structure) -> list[str]:
    return [f"{'  ' * (len(section.path) - 1)}{section.title}" for section in structure.sections]


def of_text(text: str) -> Structure:
    return structure_of([Block(text=text)])


def heading(text: str, page: int, level: int = 1) -> Block:
    return Block(text=text, kind="heading", level=level, page=page)


def prose(page: int, text: str = TEXT) -> Block:
    return Block(text=text, page=page)


def test_all_sections_of_a_contract_are_found() -> None:
    assert lines(of_text(ENGLISH)) == [
        "1. Definitions",
        "2. Term",
        "  2.2 Renewal",
        "3. Fees and Payment",
        "  3.1 Late Payment",
        "4. Confidentiality",
        "5. Termination",
        "SCHEDULE A - SERVICES",
    ]


def test_all_sections_of_a_hebrew_contract_are_found() -> None:
    assert lines(of_text(HEBREW)) == [
        "פרק א' - כללי",
        "  1. הגדרות",
        "  2. תקופת ההסכם",
        "    2.2 הארכה",
        "פרק ב' - תמורה",
        "  סעיף 4.2 - ריבית",
    ]


def test_markdown_keeps_the_levels_it_says() -> None:
    sections = of_text(
        "## 4. Booking\n\nEarly.\n\n## 5. Trains\n\nSecond class.\n\n### 5.1 Nights\n\nA berth."
    ).sections
    assert [(each.title, each.level, each.path) for each in sections] == [
        ("4. Booking", 2, ["4. Booking"]),
        ("5. Trains", 2, ["5. Trains"]),
        ("5.1 Nights", 3, ["5. Trains", "5.1 Nights"]),
    ]


def test_a_number_says_more_than_a_level_that_is_the_same_for_all() -> None:
    found = of_text("## 5 Trains\n\nSecond class.\n\n## 5.1 Nights\n\nA berth.\n\n## 6 Ships\n\nNone.")
    assert lines(found) == ["5 Trains", "  5.1 Nights", "6 Ships"]


def test_parts_and_items_hold_what_stands_below_them_whatever_its_type() -> None:
    blocks = [
        heading("PART I", 1, 2), heading("Item 1. Business", 1, 2), prose(1), heading("Customers", 1, 1), prose(1),
        heading("Item 1A. Risk Factors", 2, 2), prose(2), heading("PART II", 3, 2), heading("Item 5. Market", 3, 2),
        prose(3), heading("SIGNATURES", 4, 2), prose(4, "/s/ A. Person"),
    ]  # fmt: skip
    found = structure_of(blocks)
    assert lines(found) == [
        "PART I",
        "  Item 1. Business",
        "    Customers",
        "  Item 1A. Risk Factors",
        "PART II",
        "  Item 5. Market",
        "SIGNATURES",
    ]
    assert found.sections[-1].role == "signatures"


def test_subheads_of_the_same_type_stand_under_their_numbered_note() -> None:
    blocks = [
        heading("Notes to the Statements", 1), heading("1. Basis", 1), prose(1), heading("Sale of a Subsidiary", 1),
        prose(1), heading("2. Debt", 2), prose(2), heading("Short-Term Debt", 2), prose(2),
    ]  # fmt: skip
    assert lines(structure_of(blocks)) == [
        "Notes to the Statements",
        "  1. Basis",
        "    Sale of a Subsidiary",
        "  2. Debt",
        "    Short-Term Debt",
    ]


def test_the_files_own_outline_gives_the_levels() -> None:
    blocks = [heading("Results", 1, 3), prose(1), prose(2, "Outlook"), prose(2), heading("Risks", 2, 1), prose(2)]
    marks = [Bookmark(title="Results", level=1, page=1), Bookmark(title="Outlook", level=2, page=1),
             Bookmark(title="Risks", level=1, page=2)]  # fmt: skip
    found = structure_of(blocks, marks)
    assert [(each.title, each.level) for each in found.sections] == [("Results", 1), ("Outlook", 2), ("Risks", 1)]
    assert found.paragraphs[3].path == ("Results", "Outlook")


def test_an_outline_of_one_level_leaves_parts_above_items() -> None:
    blocks = [heading("Part I", 1), heading("Item 1 Business", 1), prose(1), heading("Item 2 Properties", 2), prose(2)]
    marks = [Bookmark(title=each.text, level=1, page=each.page) for each in blocks if each.kind]
    assert lines(structure_of(blocks, marks)) == ["Part I", "  Item 1 Business", "  Item 2 Properties"]


def test_bookmarks_of_another_text_say_nothing() -> None:
    marks = [Bookmark(title=f"Page image {number}", level=1, page=1) for number in range(5)]
    assert lines(structure_of([heading("Results", 1), prose(1)], marks)) == ["Results"]


def test_a_heading_on_two_lines_is_one() -> None:
    blocks = [heading("ARTICLE 1", 1), heading("OFFICES", 1), prose(1), heading("Report of the", 1),
              heading("Auditors", 1), prose(1)]  # fmt: skip
    assert [each.title for each in structure_of(blocks).sections] == ["ARTICLE 1 OFFICES", "Report of the Auditors"]


@pytest.mark.parametrize(
    "text", ["July 29, 2023", "Three Months Ended", "(unaudited)", "$ in millions", "Yes ☒ No ☐", "12.4", "of the year"]
)
def test_what_names_a_period_a_unit_or_a_box_heads_nothing(text: str) -> None:
    assert lines(structure_of([heading("Results", 1), prose(1), heading(text, 1), prose(1)])) == ["Results"]


def test_running_heads_begin_no_section() -> None:
    blocks = [block for page in range(1, 6) for block in (heading("Narkis Water", page), prose(page))]
    assert lines(structure_of([heading("Results", 1), *blocks])) == ["Results"]


def test_the_line_with_the_unit_above_a_table_is_its_title() -> None:
    rows = Block(text="Sales | 12 | 11\nCosts | 8 | 7", kind="table", page=1)
    found = structure_of([prose(1, "CONSOLIDATED BALANCE SHEETS (amounts in millions) (unaudited)"), rows])
    assert lines(found) == ["CONSOLIDATED BALANCE SHEETS"]
    assert found.paragraphs[1].section == "CONSOLIDATED BALANCE SHEETS"


def test_capitals_are_believed_only_where_nothing_better_is_there() -> None:
    shouting = prose(1, "MIND THE GAP BELOW")
    assert lines(structure_of([shouting, prose(1)])) == ["MIND THE GAP BELOW"]
    assert lines(structure_of([heading("Results", 1), prose(1), shouting, prose(1)])) == ["Results"]


def test_every_sheet_is_a_section() -> None:
    tables = [Block(text="a | 1", kind="table", sheet=name) for name in ("Invoices", "Invoices", "Claims")]
    assert lines(structure_of(tables)) == ["Invoices", "Claims"]


def test_sections_end_where_the_next_on_their_level_begins() -> None:
    text = "# A\n\nOne.\n\n## B\n\nTwo.\n\n# C\n\nThree."
    a, b, c = of_text(text).sections
    assert (text[a.start : a.end].split(), text[b.start : b.end].split()) == (
        ["#", "A", "One.", "##", "B", "Two."],
        ["##", "B", "Two."],
    )
    assert text[c.start : c.end] == "# C\n\nThree."
