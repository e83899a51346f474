"""Which of the two languages a text is written in."""

from __future__ import annotations

import re
from typing import Literal

from core.words import Language

_LETTER = re.compile(r"[^\W\d_]")
_KNOWN_LETTER = re.compile(r"[A-Za-z\u00C0-\u024F\u05D0-\u05EA\u05EF-\u05F2\uFB1D-\uFB4F]")
_HEBREW_LETTER = re.compile(r"[\u05D0-\u05EA\u05EF-\u05F2\uFB1D-\uFB4F]")

HEBREW_THRESHOLD = 0.10
"""More than this share of Hebrew letters makes a text Hebrew: Latin names are common in Hebrew."""

MIXED_UP_TO = 0.75
"""Below this share of Hebrew letters (and above the threshold) a document is mixed."""


def hebrew_share(text: str) -> float:
    """Hebrew letters among all letters, 0..1; 0.0 for a text without letters."""
    if text.isascii():
        return 0.0
    letters = len(_LETTER.findall(text))
    return len(_HEBREW_LETTER.findall(text)) / letters if letters else 0.0


def detect(text: str) -> Language:
    """``"he"`` when more than a tenth of the letters are Hebrew, else ``"en"``."""
    return "he" if hebrew_share(text) > HEBREW_THRESHOLD else "en"


def document_language(text: str) -> Literal["en", "he", "mixed", "other"]:
    """The language of a whole document, where substantial parts may be in either; "other" for one whose letters are
    mostly of another script (Arabic, Persian, Korean): it is neither."""
    letters = len(_LETTER.findall(text))
    if letters and 2 * len(_KNOWN_LETTER.findall(text)) < letters:
        return "other"
    share = hebrew_share(text)
    if share <= HEBREW_THRESHOLD:
        return "en"
    return "he" if share >= MIXED_UP_TO else "mixed"
