"""Tests that the words that refer to a known document are left out of a question to it."""

from __future__ import annotations

import pytest

from core.graph.understanding.documents.records import VisibleDocument
from core.graph.understanding.documents.reference_phrase import without_reference

HANDBOOK = VisibleDocument("a", "Museum volunteer handbook 2031", "handbook.pdf")


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("How long is a shift according to the volunteer handbook 2031?", "How long is a shift?"),
        ("What does the handbook (2031) say about keys?", "What does say about keys?"),
        ("Does our volunteer handbook name a dress code?", "Does name a dress code?"),
        ("Which volunteer has the keys to the museum?", "Which volunteer has the keys to the museum?"),
        ("What is the date of the handbook?", "What is the date of the handbook?"),
        ("What is in the handbook?", "What is in the handbook?"),
    ],
)
def test_the_phrase_is_left_out(question: str, left: str) -> None:
    assert without_reference(question, HANDBOOK) == left
