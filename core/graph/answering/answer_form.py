"""Decides the form of an answer about numbers, and finds the wishes about form that a user stated for all answers."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.state import State
from core.graph.understanding.form_wish import FormWish, is_only_wish, wished_form, wishes_in
from core.memory.profile.statements import Category, personal_statements
from core.question.analysed import AnalysedQuestion
from core.question.form import Form, form_of
from core.records.answer import Answer

MOST_WISHES = 6
_ABOUT_FORM: tuple[Category, ...] = ("communication_style", "preferences")


def numbers_asked(question: AnalysedQuestion, answer: Answer | None = None) -> Form:
    """Returns how many numbers ``question`` asks for; ``answer`` is the one that the tables give for certain."""
    if answer is None:
        return question.form
    certain: Form = "several" if isinstance(answer.value, list) else "one"
    return form_of(question.measures, len(question.entities), certain)


def wished(state: State) -> FormWish:
    """Returns the form that the user wishes for this answer: in the message itself, or else earlier."""
    return wished_form([*state.get("wishes", []), *wishes_in(state["asked"].ask.question)])


def form_wishes(known: Sequence[str], message: str) -> list[str]:
    """Returns the wishes about form of a conversation, oldest first, with those that ``message`` states."""
    stated = [each.text for each in personal_statements(message) if each.category in _ABOUT_FORM]
    if is_only_wish(message):
        stated += [each for each in wishes_in(message) if not any(each.strip(" .") in other for other in stated)]
    return list(dict.fromkeys([*(each for each in known if each not in stated), *stated]))[-MOST_WISHES:]
