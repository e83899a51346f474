"""Tests that words that name the document to search are not used as search terms."""

from __future__ import annotations

import pytest

from core.question.source_phrase import without_quoted_titles, without_source

TITLES = ["Harbour Lease Agreement lease-2024", "מדיניות רכב ונסיעות"]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What is the rent under the 2024 harbour lease?", "What is the rent?"),
        ("What is the rent, according to the lease agreement, of a berth?", "What is the rent, of a berth?"),
        ("מה התקרה לפי מדיניות הנסיעות?", "מה התקרה?"),
        ("What is the rent of a berth in the harbour?", "What is the rent of a berth in the harbour?"),
        ("What does the harbour lease say of rent?", "What does the harbour lease say of rent?"),
        ("Is it in the tariff or in the harbour lease?", "Is it in the tariff or in the harbour lease?"),
        ("Is it in the harbour lease, and how high is it?", "Is it, and how high is it?"),
    ],
)
def test_only_the_phrase_is_left_out(question: str, left: str) -> None:
    assert without_source(question, TITLES) == left


def test_a_period_that_is_compared_with_another_one_stays() -> None:
    titles = ["Quarterly report Q3 2031"]
    assert without_source("Sales in Q3 2031 compared with Q3 2030", titles) == "Sales in Q3 2031 compared with Q3 2030"
    assert without_source("Sales in Q3 2031", titles) == "Sales"


def test_a_title_in_quotation_marks_is_no_part_of_what_is_asked() -> None:
    titles = ["Travel policy 2031", "Confidential Information Agreement"]
    asked = without_quoted_titles("What is the limit according to the “Travel policy 2031”?", titles)
    assert asked == "What is the limit?"
    term = "What does “Confidential Information” mean?"
    assert without_quoted_titles(term, titles) == term, "a term that is also in a title"
