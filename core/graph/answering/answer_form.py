"""Decides the form of an answer about numbers, and finds the wishes about form that a user stated for all answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from core.memory.profile.statements import Category, personal_statements
from core.question.analysed import AnalysedQuestion
from core.question.measures.question import MeasureQuestion, measure_question
from core.records.answer import Answer

Numbers = Literal["none", "one", "several"]
"""How many numbers a question asks for; *none* if it asks for something else."""

MOST_WISHES = 6
_ABOUT_FORM: tuple[Category, ...] = ("communication_style", "preferences")
_ONE_PER_PERIOD = ("value", "trend")
"""Operations with a number for each period; others make one number of several periods."""


def numbers_asked(question: AnalysedQuestion, answer: Answer | None = None) -> Numbers:
    """Returns how many numbers ``question`` asks for: measures × organisations × periods.

    Args:
        answer: The answer that the tables give for certain; it decides if the question names no known measure, or asks
            for more than its value.
    """
    asked = measure_question(question)
    if asked is None:
        return "none" if answer is None else "several" if isinstance(answer.value, list) else "one"
    if asked.why or asked.judges:
        return "none"
    if _count(asked, question) > 1:
        return "several"
    return "none" if asked.rest and answer is None else "one"


def _count(asked: MeasureQuestion, question: AnalysedQuestion) -> int:
    periods = len(asked.periods) if asked.operation in _ONE_PER_PERIOD and not asked.measures[0].defined else 1
    return len(asked.measures) * max(1, len(question.entities)) * max(1, periods)


def form_wishes(known: Sequence[str], message: str) -> list[str]:
    """Returns the wishes about form of a conversation, oldest first, with those that ``message`` states."""
    stated = [each.text for each in personal_statements(message) if each.category in _ABOUT_FORM]
    return list(dict.fromkeys([*(each for each in known if each not in stated), *stated]))[-MOST_WISHES:]
