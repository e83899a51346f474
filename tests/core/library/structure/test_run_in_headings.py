from __future__ import annotations

import pytest

from core.library.structure.run_in_headings import run_in_title

REST = "Any director may resign at any time by writing to the board, and need not say why."


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"2.3 NOTICE OF MEETINGS. {REST}", "2.3 NOTICE OF MEETINGS"),
        (f"4. Confidentiality. {REST}", "4. Confidentiality"),
        (f"Section 5 Resignation. {REST}", "Section 5 Resignation"),
        (f"3.1 Late Payment – {REST}", "3.1 Late Payment"),
        (f"RESIGNATION. {REST}", "RESIGNATION"),
        ("2.2 הארכה: ההסכם יוארך בשנה נוספת בכל פעם, אלא אם הודיע אחד הצדדים אחרת.", "2.2 הארכה"),
    ],
)
def test_titles_that_begin_a_paragraph(text: str, title: str) -> None:
    assert run_in_title(text) == title


@pytest.mark.parametrize(
    "text",
    [
        f"11.1 Readings belong to the customer. {REST}",
        "1. Apples: red. 2. Pears: green and yellow, when they are ripe.",
        f"(a) Notice. {REST}",
        f"U.S. sales rose. {REST}",
        "4. Confidentiality. Short.",
        REST,
    ],
)
def test_sentences_and_items_have_none(text: str) -> None:
    assert run_in_title(text) is None
