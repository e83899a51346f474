"""Tests that a question with several parts is asked part by part and answered in one line."""

from __future__ import annotations

import pytest

from core.figures.compound import combined_candidate, parts_of
from core.figures.records import Candidate
from core.records.answer import Answer, CellReference


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("How many pumps failed?", ["How many pumps failed?"]),
        ("What were sales in 2020, 2021, and 2022?", ["What were sales in 2020, 2021, and 2022?"]),
        (
            "How many pumps failed, and for how long?",
            ["How many pumps failed?", "for how long pumps failed?"],
        ),
        (
            "When was the deed signed, and who signed it?",
            ["When was the deed signed?", "who signed it?"],
        ),
        ("מתי נחתם החוזה, ומי חתם עליו?", ["מתי נחתם החוזה, ומי חתם עליו?"]),
        ("מתי נחתם החוזה, וכמה ימים הוא בתוקף?", ["מתי נחתם החוזה?", "כמה ימים הוא בתוקף?"]),
    ],
)
def test_what_is_asked_by_itself(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts


def candidate(line: str, value: float | str, sureness: float) -> Candidate:
    cell = CellReference(number=1, document_id="doc", item_id=line, text=str(value))
    return Candidate(Answer(kind="figure", line=line, value=value, cells=[cell]), sureness)


def test_two_answers_are_one_as_sure_as_the_less_sure() -> None:
    both = combined_candidate([candidate("12 pumps [1]", 12.0, 0.9), candidate("3 hours [2]", "3 hours", 0.7)])
    assert both is not None
    assert both.answer.line == "12 pumps [1]; 3 hours [2]"
    assert both.answer.value == ["12", "3 hours"]
    assert [cell.item_id for cell in both.answer.cells] == ["12 pumps [1]", "3 hours [2]"]
    assert both.sureness == 0.7
    assert both.answer.doubt is None


def test_a_part_without_an_answer_is_said_to_be_left_out() -> None:
    half = combined_candidate([None, candidate("3 hours [2]", "3 hours", 0.9)])
    assert half is not None
    assert half.answer.line == "3 hours [2]"
    assert half.answer.doubt is not None
    assert combined_candidate([None, None]) is None
