"""Renders PalAssist's questions to the user: the card above the input, and the past questions in the history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from core.events import Answered, AnswerNow, Interrupted
from core.records.interrupts import RUN, InterruptKind, PlanStep
from core.words import Language
from viz.templating import render

ALL = "all"
_CHOICES: tuple[InterruptKind, ...] = ("action_choice", "doc_choice", "text_input", "retrieval_low", "column_choice")
"""Kinds of questions whose reply can be undone by asking again; a tool that was allowed to run cannot be undone."""
FOLDED = 160
"""Maximum characters, and maximum lines, of a detail that is shown in full; a longer detail is collapsed."""
FOLDED_LINES = 3
PREVIEW = 90
"""Characters shown of a collapsed detail."""


@dataclass(frozen=True)
class Exchange:
    """A question to the user and the reply; the reply is ``None`` while the question is open."""

    asked: Interrupted
    answer: Answered | None = None

    @property
    def question(self) -> str:
        """The question without its details, if they are shown separately."""
        return _question(self.asked)

    @property
    def details(self) -> list[ShownDetail]:
        return details_of(self.asked)

    @property
    def cancelled(self) -> bool:
        return self.answer is not None and not (self.answer.labels or self.answer.text or self.answer.steps)

    @property
    def steps(self) -> list[PlanStep]:
        """The plan's steps: those that the user kept, otherwise those that were asked about."""
        return self.answer.steps if self.answer and self.answer.steps else self.asked.steps

    @property
    def answer_text(self) -> str:
        """What the user chose or typed, or the steps that the user kept."""
        if self.answer is None:
            return ""
        return self.answer.text or ", ".join(self.answer.labels) or _listed(self.answer.steps)

    @property
    def question_in_full(self) -> str:
        """The question with all its details and the steps of the plan."""
        return "\n".join(part for part in (self.asked.question, _listed(self.asked.steps)) if part)


@dataclass(frozen=True)
class ShownDetail:
    """A detail in full. If ``preview`` is not empty, the detail is collapsed and only the preview is visible."""

    name: str
    text: str
    preview: str = ""


def _listed(steps: Sequence[PlanStep]) -> str:
    return "\n".join(f"{number}. {step.text}" for number, step in enumerate(steps, start=1))


def details_of(asked: Interrupted) -> list[ShownDetail]:
    """The question's details, the long ones collapsed."""
    return [ShownDetail(each.name, each.text, _preview(each.text)) for each in asked.details]


def _preview(text: str) -> str:
    if len(text) <= FOLDED and text.count("\n") < FOLDED_LINES:
        return ""
    return f"{' '.join(text.split())[:PREVIEW]}…"


def card(asked: Interrupted, run_id: str, language: Language) -> Markup:
    """The open question, its choices as buttons."""
    named = [choice for choice in asked.choices if choice.id not in (ALL, RUN)]
    runs = [choice for choice in asked.choices if choice.id == RUN]
    together = [choice for choice in asked.choices if choice.id == ALL]
    given = {"asked": asked, "question": _question(asked), "details": details_of(asked)}
    return render("card", run_id=run_id, language=language, named=named, together=together, runs=runs, **given)


def answer_now(offered: AnswerNow, language: Language) -> Markup:
    """A button that ends the wait for documents, or the rounds of tool calls, and answers from what is there."""
    return render("answer_now", offered=offered, language=language)


def _question(asked: Interrupted) -> str:
    return asked.question.split("\n")[0] if asked.details else asked.question


def trail(exchanges: Sequence[Exchange], language: Language, *, finished: bool = False) -> Markup:
    """Questions and answers so far, one line each. ``finished``: the run has ended, so a choice can be undone."""
    chosen = [each for each in exchanges if each.answer and each.asked.kind in _CHOICES and not each.cancelled]
    return render("trail", exchanges=exchanges, again=chosen[-1] if finished and chosen else None, language=language)
