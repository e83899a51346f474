"""Tests the words of a question by which rows are found."""

from __future__ import annotations

import re

import pytest

from core.datasets.rows.words import words_of


def matches(question: str, text: str) -> bool:
    patterns = [(word.needle, word.pattern) for word in words_of(question)]
    # Python's patterns have other names for letters than those of the database.
    return any(
        needle in text and re.search(pattern.replace(r"[^\pL\pN]", r"[\W_]").replace(r"\pL", r"[^\W\d_]"), text)
        for needle, pattern in patterns
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the amount of ORD-0019997?", "north | ord-0019997 | web"),
        ("Who paid for the parcels?", "the parcel came late"),
        ("מה נמסר בחיפה?", "משלוח | בחיפה | נמסר"),
    ],
)
def test_a_word_is_found_in_a_row(question: str, text: str) -> None:
    assert matches(question, text)


@pytest.mark.parametrize(
    ("question", "text"), [("Where is w50?", "driver w502"), ("What is the of and?", "the of and what is")]
)
def test_part_of_a_code_and_stop_words_find_nothing(question: str, text: str) -> None:
    assert not matches(question, text)


def test_codes_and_long_numbers_identify_rows_and_years_do_not() -> None:
    exact = {word.needle: word.is_exact for word in words_of("In 2024, C17-55 was 4,494.50 on 2024-05-03 for Dana")}
    assert exact == {"2024": False, "c17-55": True, "4,494.50": True, "2024-05-03": True, "dana": False}
