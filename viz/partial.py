"""Answers from part of the documents: the offer of one, as HTML."""

from __future__ import annotations

from markupsafe import Markup

from core.events import AnswerNow
from core.words import Language
from viz.templating import render


def answer_now(offered: AnswerNow, language: Language) -> Markup:
    """The button that ends the wait."""
    return render("answer_now", offered=offered, language=language)
