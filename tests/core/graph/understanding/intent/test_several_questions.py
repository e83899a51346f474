from __future__ import annotations

import pytest

from core.graph.understanding.intent.several_questions import questions_in


@pytest.mark.parametrize(
    ("message", "questions"),
    [
        ("1. how long is it valid\n2. can we end it", ["how long is it valid", "can we end it"]),
        ("Who checked the roof? And when did she do it?", ["Who checked the roof?", "And when did she do it?"]),
        ("what is the rent. who pays the water", ["what is the rent.", "who pays the water"]),
        (
            "What is the fee in 2025, and how many days are there to pay it?",
            ["What is the fee in 2025?", "And how many days are there to pay it?"],
        ),
        ("מה שכר הדירה, ומתי מסתיים החוזה?", ["מה שכר הדירה?", "ומתי מסתיים החוזה?"]),
        ("I am new here. Who chairs the board? Where does it meet?", ["Who chairs the board?", "Where does it meet?"]),
        ("למי מותר לגלות מידע לפי ההסכם? ולכמה זמן?", ["למי מותר לגלות מידע לפי ההסכם?", "ולכמה זמן?"]),
    ],
)
def test_every_question_of_a_message_is_found(message: str, questions: list[str]) -> None:
    assert questions_in(message) == questions


@pytest.mark.parametrize(
    "message",
    [
        "What is the rent?",
        "What is the rent? Thanks! Right?",
        "What is the rent and the deposit?",
        "Who signed it, and when?",
        "Please keep this. The bus leaves at nine. The driver is Omar.",
        "How many were sold in the U.S. and in the U.K.?",
        "",
    ],
)
def test_one_question_is_not_split(message: str) -> None:
    assert questions_in(message) == []
