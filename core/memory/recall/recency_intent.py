"""Whether a question asks for the latest memories."""

from __future__ import annotations

import re

from core.language.normalisation import fold

_LATEST = re.compile(
    r"\b(?:last|latest|recent(?:ly)?|yesterday|today|earlier|previous(?:ly)?|before|when did|how long ago|last time"
    r"|lately|just now)\b"
    r"|(?<!\w)[ובהכמש]?(?:אתמול|היום|לאחרונה|האחרון|האחרונה|האחרונים|האחרונות|קודם|בפעם הקודמת|מתי|לפני כמה|זה עתה"
    r"|הרגע)(?!\w)"
)


def asks_for_the_latest(question: str) -> bool:
    """Whether one of the words for *lately* stands in it, as a word of its own."""
    return bool(_LATEST.search(fold(question)))
