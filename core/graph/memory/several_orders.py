"""An order to remember several things: its text → each of them ("A and that B")."""

from __future__ import annotations

import re

_JOINED = re.compile(
    r"\s*[,;]?\s*(?:\band|&|;|,)\s+(?:also\s+|please\s+)?(?:remember\s+)?that\s+|"
    r"\s*,?\s+ו(?:גם\s+|את\s+זה\s+)?ש(?=(?:אני|אנחנו|אנו|הוא|היא|הם|הן|יש|אין|לא|אצל|כל|שמי|המ|הת|הח|הפ|הצ|הע|ב\S|ל\S)\S*\s)",
    re.IGNORECASE,
)
_END = " .,;"
_LEAST_WORDS = 2


def statements_to_remember(text: str) -> list[str]:
    """The statements of ``text``, each to be remembered by itself; the whole where a part would say nothing."""
    parts = [part.strip(_END) for part in _JOINED.split(text) if part and part.strip(_END)]
    if len(parts) < 2 or any(len(part.split()) < _LEAST_WORDS for part in parts):
        return [text.strip()]
    return parts
