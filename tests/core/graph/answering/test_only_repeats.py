"""Tests that an answer in words says more than the question."""

from __future__ import annotations

import pytest

from core.figures.records import Candidate
from core.graph.answering.first_line import only_repeats
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer, AnswerKind


@pytest.mark.parametrize(
    ("question", "kind", "value", "repeats"),
    [
        ("In which month of 2031 were most boats sold?", "date", "2031", True),
        ("In which month of 2031 were most boats sold?", "date", "May 2031", False),
        ("Were more boats sold in 2031 or in 2032?", "date", "2031", False),
        ("Who chairs the boat club?", "span", "The boat club", True),
        ("Is the boat blue?", "choice", "blue", False),
    ],
)
def test_what_only_repeats_the_question(question: str, kind: AnswerKind, value: str, repeats: bool) -> None:
    candidate = Candidate(Answer(kind=kind, line=value, value=value), 0.9)
    assert only_repeats(AnalysedQuestion(question, "en", question), candidate) is repeats
