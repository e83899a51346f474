"""Marks sentences of an answer that their sources support only in part, or not at all."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup, escape

from core.events import Sentence
from core.words import Language

_OPEN, _CLOSE, _SPACE = "\ue100", "\ue101", "\u2005"
"""Placeholders for the marks; they pass through Markdown and the sanitiser. The space next to them lets emphasis begin
and end there."""


def with_marks(text: str, support: Sequence[Sentence]) -> str:
    """The Markdown with placeholders for the marks; nothing else changes."""
    if _OPEN in text or _CLOSE in text:
        return text
    for sentence in sorted(_doubtful(support), key=lambda each: -each.start):
        inside = text[sentence.start : sentence.end]
        text = f"{text[: sentence.start]}{_OPEN}{_SPACE}{inside}{_SPACE}{_CLOSE}{text[sentence.end :]}"
    return text


def draw_marks(blocks: Sequence[Markup], support: Sequence[Sentence], language: Language) -> list[Markup]:
    """The HTML blocks of that Markdown with underlines at the placeholders, in order."""
    marks = iter(sorted(_doubtful(support), key=lambda each: each.start))
    drawn = []
    for block in blocks:
        before, *rest = str(block).split(f"{_OPEN}{_SPACE}")
        opened = [f"{_mark(next(marks, None), language)}{part}" for part in rest]
        drawn.append(Markup((before + "".join(opened)).replace(f"{_SPACE}{_CLOSE}", "</span>")))
    return drawn


def _doubtful(support: Sequence[Sentence]) -> list[Sentence]:
    return [each for each in support if each.verdict != "supported"]


def _mark(sentence: Sentence | None, language: Language) -> Markup:
    if sentence is None:
        return Markup("<span>")
    why = escape(sentence.why.to(language))
    return Markup(f'<span class="claim {sentence.verdict}" title="{why}">')
