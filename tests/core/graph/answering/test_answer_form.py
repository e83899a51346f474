"""Tests the form of an answer: how many numbers are asked for, and wishes for all answers."""

from __future__ import annotations

import pytest

from core.graph.answering.answer_form import form_wishes, numbers_asked
from core.question.analysed import AnalysedQuestion

NORDVIK, YEARS = ("Nordvik",), ("2021", "2022")
DEFINED = "DPO is defined as 365 * accounts payable / cost of goods sold. What was it for Nordvik in 2022?"


@pytest.mark.parametrize(
    ("text", "entities", "periods", "numbers"),
    [
        ("What was Nordvik's revenue in 2022?", NORDVIK, ("2022",), "one"),
        ("How much did Nordvik's revenue grow from 2021 to 2022?", NORDVIK, YEARS, "one"),
        (DEFINED, NORDVIK, ("2022",), "one"),
        ("What were Nordvik's revenue and net income in 2022?", NORDVIK, ("2022",), "several"),
        ("Compare the gross margins of Nordvik and Talmor in 2022", ("Nordvik", "Talmor"), ("2022",), "several"),
        ("Describe the risk factors.", NORDVIK, (), "none"),
        ("Why did Nordvik's revenue fall?", NORDVIK, (), "none"),
    ],
)
def test_the_form_follows_the_question(
    text: str, entities: tuple[str, ...], periods: tuple[str, ...], numbers: str
) -> None:
    assert numbers_asked(AnalysedQuestion(text, "en", text, entities, periods)) == numbers


def test_wishes_are_kept_and_questions_are_none() -> None:
    known = form_wishes([], "All figures in billions, one decimal.")
    assert known == ["All figures in billions, one decimal."]
    known = form_wishes(known, "What are all figures in the table?")
    assert form_wishes(known, "כל המספרים במיליונים.") == [*known, "כל המספרים במיליונים."]
