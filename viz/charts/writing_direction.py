"""Keeps names in the other writing direction together, so that numbers next to them keep their place."""

from __future__ import annotations

import re

from core.language import hebrew
from core.words import Language

ISOLATE, ISOLATED = "\u2068", "\u2069"
"""Unicode control characters around a text with its own direction: first strong isolate, and its end."""
_LETTERS = {"en": hebrew.LETTER, "he": "[A-Za-z]"}
"""Letters of the other direction, by the language of the text around them."""


def isolated_names(text: str, language: Language) -> str:
    """Returns ``text``, a line in ``language``, with runs of words in the other direction isolated.

    >>> isolated_names("All rows of Acme", "en")
    'All rows of Acme'
    >>> isolated_names("2024-Q1", "he")
    '2024-Q1'
    """
    letter, own = _LETTERS[language], _LETTERS["he" if language == "en" else "en"]
    run = rf"{letter}(?:(?:(?!\d|{own})[\w'\"&.-]|[ ](?!\d|\s|{own})){{0,200}}{letter})?"
    # The letters of "2024-Q1" belong to a figure, which keeps its own direction.
    return re.sub(rf"(?<![\d-])(?:{run})(?!\d)", rf"{ISOLATE}\g<0>{ISOLATED}", text)
