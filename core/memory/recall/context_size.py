"""Decides how many memories are retrieved for a question, by the kind of question."""

from __future__ import annotations

import re
from typing import Literal

from core.language.normalisation import fold
from core.language.vocabulary import phrases
from core.setting_groups import Memory

_phrase = phrases("memory/recall.context_size")

SizeOf = Literal["broad", "how_to", "specific", "usual"]

_KINDS: dict[SizeOf, re.Pattern[str]] = {
    kind: re.compile(rf"(?<!\w)(?:{_phrase('lead')})?(?:{_phrase(kind)})(?!\w)")
    for kind in ("specific", "broad", "how_to")
}
"""Kinds of question in order; the first that matches is used, so "how do I list all my files" asks for everything."""


def kind_of(question: str) -> SizeOf:
    """The kind of question, recognised by whole phrases in either language."""
    asked = fold(question)
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(asked)), "usual")


def how_many(question: str, settings: Memory) -> int:
    """Number of memories for this question: 20 if it asks for everything, 12 for a how-to, 5 for one fact about a
    person, else 10."""
    return {
        "broad": settings.results_broad,
        "how_to": settings.results_howto,
        "specific": settings.results_specific,
        "usual": settings.results_usual,
    }[kind_of(question)]
