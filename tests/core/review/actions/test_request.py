"""Tests what is read from a request for a summary or a comparison."""

from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.review.actions.request import request_of

SOURCES = [
    Source(number=1, document_id="d1", title="Acme Inc. · Quarterly report · Q2 FY2023", filename="2023 Q2 ACME.pdf",
           score=1.0, passages=[]),
    Source(number=2, document_id="d2", title="Acme Inc. · Quarterly report · Q3 FY2023", filename="2023 Q3 ACME.pdf",
           score=1.0, passages=[]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "count", "form"),
    [
        ("Summarize the report in five bullets", 5, "points"),
        ("Summarise it in exactly 3 short sentences", 3, "sentences"),
        ("Summarize it in one sentence", 1, "sentences"),
        ("סכמו את הדוח בחמש נקודות", 5, "points"),
        ("Summarize the report of 2023", None, "points"),
    ],
)
def test_a_request_states_a_number_of_points_or_sentences(text: str, count: int | None, form: str) -> None:
    found = request_of(text, SOURCES)
    assert (found.count, found.form) == (count, form)


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ('Compare Services in "2023 Q2 ACME.pdf" and "2023 Q3 ACME.pdf"', "Services"),
        ("Compare the cost of sales in Q2 2023 and Q3 2023", "cost of sales"),
        ("Compare the gross margins of Acme", "gross margins"),
        ("How do the reports differ in capital expenditure?", "capital expenditure"),
        ("Summarize 2023 Q2 ACME.pdf for the board, only the risks", "risks"),
        ("סכמו את הדוח, רק הסיכונים", "הסיכונים"),
        ("Compare Acme's Q2 and Q3 2023 10-Qs on litigation", "litigation"),
        ("Summarize the report on one page", ""),
        ("Compare the two quarterly reports thoroughly", ""),
        ("Summarize the key points of the document", ""),
        ("Compare 2023 Q2 ACME.pdf with 2023 Q3 ACME.pdf", ""),
    ],
)
def test_a_subject_is_neither_a_document_nor_a_period_nor_a_form(text: str, subject: str) -> None:
    assert request_of(text, SOURCES).subject == subject


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Compare Acme's Q2 and Q3 2023 10-Qs on Services and Mac", ("Services", "Mac")),
        ("Compare Services, Mac and iPad in Q2 2023 and Q3 2023, please", ("Services", "Mac", "iPad")),
        ("Compare the reports on Services and Mac, and write in English", ("Services", "Mac")),
        ("Compare the reports on research and development", ("research and development",)),
        ("השוו את הדוחות בנושא שירותים ומחשבים", ("שירותים", "מחשבים")),
        ("Compare the two quarterly reports", ()),
    ],
)
def test_a_subject_has_several_parts_unless_a_row_names_it_as_a_whole(text: str, subjects: tuple[str, ...]) -> None:
    row = Passage(item_id="i1", text="| Sales | 7 |\n| Research and development | 5 |", table=0)
    sources = [SOURCES[0].model_copy(update={"passages": [row]}), SOURCES[1]]
    assert request_of(text, sources).subjects == subjects
