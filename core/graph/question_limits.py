"""Checks a question and removes invisible characters from it before a run starts."""

from __future__ import annotations

import re

from core.errors import fail

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def readable(text: str) -> tuple[str, int]:
    """Returns the text without invisible control characters, and how many were removed."""
    cleaned, removed = _CONTROL.subn("", text)
    return cleaned.strip(), removed


def clean_question(text: str, most_characters: int) -> tuple[str, int]:
    """Returns the question without control characters, and how many were removed.

    Raises:
        PalimpsestError: the question is empty, or is longer than ``most_characters``.
    """
    cleaned, removed = readable(text)
    if not cleaned:
        raise fail("validation", "graph.question_limits.question")
    if len(cleaned) > most_characters:
        raise fail(
            "validation", "graph.question_limits.question_too_long", count=len(cleaned), most_characters=most_characters
        )
    return cleaned, removed
