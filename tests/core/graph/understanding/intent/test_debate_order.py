from __future__ import annotations

import pytest

from core.graph.understanding.intent.debate_order import without_debate_order


@pytest.mark.parametrize(
    ("asked", "about"),
    [
        ("What are the pros and cons of the lodging limit?", "the lodging limit?"),
        ("Pros and cons: a night in a hotel?", "a night in a hotel?"),
        ("Tell me the main advantages and drawbacks of brass gauges", "brass gauges"),
        ("What are the arguments for and against paying?", "paying?"),
        ("What speaks for and against paying?", "paying?"),
        ("For and against: paying", "paying"),
        ("מה היתרונות והחסרונות של החלפה עצמית?", "החלפה עצמית?"),
        ("יתרונות וחסרונות: החלפה עצמית", "החלפה עצמית"),
        ("בעד ונגד החלפה עצמית", "החלפה עצמית"),
        ("מה בעד ומה נגד החלפה עצמית?", "החלפה עצמית?"),
        ("מהם השיקולים לכאן ולכאן בהחלפה עצמית?", "בהחלפה עצמית?"),
    ],
)
def test_what_is_left_is_what_it_is_about(asked: str, about: str) -> None:
    assert without_debate_order(asked) == about


@pytest.mark.parametrize(
    "asked",
    [
        "Pros and cons?",
        "בעד ונגד?",
        "What did the debate on fees decide?",
        "Is paper printed on both sides?",
        "Is there cover for and against fire?",
        "What are the advantages of brass?",
        "מה היתרונות של פליז?",
        "מי הצביע בעד ההצעה?",
    ],
)
def test_another_question_stays_as_it_is(asked: str) -> None:
    assert without_debate_order(asked) == asked
