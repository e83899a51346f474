"""Decides how many memories a question gets, by its kind."""

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
"""The first kind that matches is used: "how do I list all my files" asks for everything."""


def kind_of(question: str) -> SizeOf:
    """The kind, by whole phrases in either language."""
    asked = fold(question)
    return next((kind for kind, pattern in _KINDS.items() if pattern.search(asked)), "usual")


def how_many(question: str, settings: Memory) -> int:
    """Memories for this question: 20 for everything, 12 for a how-to, 5 for one fact about a person, else 10."""
    return {
        "broad": settings.results_broad,
        "how_to": settings.results_howto,
        "specific": settings.results_specific,
        "usual": settings.results_usual,
    }[kind_of(question)]
