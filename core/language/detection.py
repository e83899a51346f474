"""Detects which of the product's two languages (English, Hebrew) a text is in, and the language of a document."""

from __future__ import annotations

import re
from typing import Literal

from core.language.languages import whole_language
from core.words import Language

_LETTER = re.compile(r"[^\W\d_]")
_HEBREW_LETTER = re.compile(r"[\u05D0-\u05EA\u05EF-\u05F2\uFB1D-\uFB4F]")

DocumentLanguage = Literal["en", "he", "mixed", "de", "fr", "es", "it", "pt", "nl", "ru", "ar", "zh", "ja", "other"]

HEBREW_THRESHOLD = 0.10
"""Share of Hebrew letters above which a text is Hebrew: Latin names are common in Hebrew."""

_PART = 2_000

MIXED_UP_TO = 0.75
"""Below this share of Hebrew letters (and above the threshold for Hebrew), a document is mixed."""


def hebrew_share(text: str) -> float:
    """Returns the share of Hebrew letters among all letters, 0..1; 0.0 for a text without letters."""
    if text.isascii():
        return 0.0
    letters = len(_LETTER.findall(text))
    return len(_HEBREW_LETTER.findall(text)) / letters if letters else 0.0


def detect(text: str) -> Language:
    """Returns ``"he"`` if more than a tenth of the letters are Hebrew, otherwise ``"en"``."""
    return "he" if hebrew_share(text) > HEBREW_THRESHOLD else "en"


def document_language(text: str) -> DocumentLanguage:
    """Returns a whole document's language: "mixed" if substantial parts are in English and in Hebrew; "other" if it is
    in no known language."""
    share = hebrew_share(text)
    if share <= HEBREW_THRESHOLD:
        return _other_language(text)
    return "he" if share >= MIXED_UP_TO else "mixed"


def _other_language(text: str) -> DocumentLanguage:
    found = whole_language(_sample(text))
    return "other" if found == "ko" else found


def _sample(text: str) -> str:
    """Returns the beginning and parts of the middle of a long text, since a preface may be in another language."""
    middle = len(text) // 2
    return text if len(text) <= 2 * _PART else f"{text[:_PART]}\n{text[middle : middle + _PART]}"
