"""What PalAssist asks: the card above the input, and the trail that stays in the history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from core.events import Answered, Interrupted
from core.words import Language
from viz.templating import render

ALL = "all"


@dataclass(frozen=True)
class Exchange:
    """A question to the person and what came back; ``None`` while it waits."""

    asked: Interrupted
    answer: Answered | None = None

    @property
    def cancelled(self) -> bool:
        return self.answer is not None and not self.answer.labels and not self.answer.text

    @property
    def answer_text(self) -> str:
        return self.answer.text or ", ".join(self.answer.labels) if self.answer is not None else ""


def card(asked: Interrupted, run_id: str, language: Language) -> Markup:
    """The open question, its choices as buttons."""
    named = [choice for choice in asked.choices if choice.id != ALL]
    together = [choice for choice in asked.choices if choice.id == ALL]
    return render("card", asked=asked, named=named, together=together, run_id=run_id, language=language)


def trail(exchanges: Sequence[Exchange], language: Language) -> Markup:
    """Questions and answers so far, one line each."""
    return render("trail", exchanges=exchanges, language=language)
