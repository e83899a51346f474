"""Tests how first lines are compared with expected answers."""

from __future__ import annotations

import pytest

from benchmarks.messages.firstline import verdict_of
from benchmarks.messages.made_documents import says


@pytest.mark.parametrize(
    ("line", "answer", "same"),
    [
        ("The rent is 1,520 pounds.", "1520 euros", True),
        ("The rent is 1,450 pounds.", "1,520 pounds", False),
        ("Eleven drivers have it.", "11", True),
        ("The notice is 4 months.", "four months, in writing", False),
        ("דמי השכירות הם 5,800 שקלים", "5,800 שקלים", True),
        ("Tomas Reyl", "תומאס רייל", True),
    ],
)
def test_an_answer_in_substance(line: str, answer: str, same: bool) -> None:
    assert says(line, answer) is same


@pytest.mark.parametrize(
    ("line", "verdict"),
    [("No: it is never paid.", "trapped"), ("Yes, with approval.", "right"), ("It is blue.", "missed")],
)
def test_yes_for_no_is_trapped(line: str, verdict: str) -> None:
    assert verdict_of(line, "Yes, with approval", ["No"], "") == verdict
