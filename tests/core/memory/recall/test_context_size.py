from __future__ import annotations

import pytest

from core.memory.recall.context_size import SizeOf, how_many, kind_of
from core.setting_groups import Memory


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is my name?", "specific"),
        ("who am I", "specific"),
        ("Where do I work?", "specific"),
        ("What's my e-mail?", "specific"),
        ("מה השם שלי?", "specific"),
        ("איך קוראים לי?", "specific"),
        ("מה התפקיד הנוכחי שלי?", "specific"),
        ("איפה אני גרה?", "specific"),
        ("Show me all decisions about the tender", "broad"),
        ("List my goals", "broad"),
        ("Tell me everything you know", "broad"),
        ("how do I list all my files", "broad"),
        ("What do you know about me?", "broad"),
        ("תן לי את כל המטרות", "broad"),
        ("מה אתה יודע עליי?", "broad"),
        ("הכול על המכרז", "broad"),
        ("How do I reset the pump?", "how_to"),
        ("What is the best way to cook rice?", "how_to"),
        ("איך מאפסים את המשאבה?", "how_to"),
        ("ואיך זה עובד?", "how_to"),
        ("כיצד מגישים ערר?", "how_to"),
        ("What did we decide about tea?", "usual"),
        ("What is a list comprehension?", "usual"),
        ("Python name mangling", "usual"),
        ("Show me the recipe", "usual"),
        ("מתי הפגישה?", "usual"),
        ("כל הכבוד, מתי נפגשים?", "usual"),
        ("", "usual"),
    ],
)
def test_what_kind_of_question_it_is(question: str, expected: SizeOf) -> None:
    assert kind_of(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [("List my goals", 20), ("How do I reset it?", 12), ("What is my name?", 5), ("Which valve leaks?", 10)],
)
def test_how_many_memories_it_is_given(question: str, expected: int) -> None:
    assert how_many(question, Memory()) == expected


def test_the_settings_have_the_last_word() -> None:
    assert how_many("Which valve leaks?", Memory(results_usual=3)) == 3
