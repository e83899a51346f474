from __future__ import annotations

import math

import numpy as np
import pytest

from core.memory.outcomes.question_similarity import Question, similarity
from core.models.embeddings import Calibration

CALIBRATION = Calibration(0.0, 0.7)


def asked(text: str, cosine: float = 1.0) -> Question:
    return Question(text, np.array([cosine, math.sqrt(1 - cosine * cosine)], dtype=np.float32))


def test_a_question_is_itself_however_it_is_spelled() -> None:
    assert similarity(asked("Where is the pump?"), Question("where is  the PUMP?"), CALIBRATION) == 1


def test_a_rewording_asks_the_same_and_a_neighbour_that_is_nearer_does_not() -> None:
    question = asked("How do I claim the mileage of my car?")
    reworded = asked("What do I hand in for kilometres driven privately?", 0.93)
    neighbour = asked("How do I claim the mileage of my bicycle?", 0.97)
    assert similarity(question, reworded, CALIBRATION) == 1
    assert similarity(question, neighbour, CALIBRATION) == 0


def test_what_only_resembles_in_topic_does_not_ask_the_same() -> None:
    question, other = asked("How do I claim the mileage of my car?"), asked("Which hotel may I take in Lisbon?", 0.62)
    assert similarity(question, other, CALIBRATION) == 0


@pytest.mark.parametrize("other", ["What was the revenue in 2025?", "what was revenue in 2023 and in 2024"])
def test_other_numbers_are_another_question(other: str) -> None:
    assert similarity(asked("What was the revenue in 2024?"), asked(other, 0.99), CALIBRATION) == 0


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("Please, how can I claim the mileage of my car?", True),
        ("How do I claim the milage of my car?", True),
        ("How do I claim the mileage of my bicycle?", False),
        ("Who repairs the lift?", False),
    ],
)
def test_words_alone_know_a_question_again(other: str, same: bool) -> None:
    question = Question("How do I claim the mileage of my car?")
    assert (similarity(question, Question(other), CALIBRATION) > 0.5) is same
    assert (similarity(question, Question(other), None) > 0.5) is same


def test_hebrew_neighbours_are_told_apart_by_words() -> None:
    question = Question("איך מגישים בקשה לחופשת לידה?")
    assert similarity(question, Question("איך מגישים בקשה לחופשת מחלה?"), None) < 0.2
    assert similarity(question, Question("בקשה לחופשת לידה, איך מגישים?"), None) > 0.5
