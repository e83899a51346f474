"""What a question asks, apart from how it wants to be answered: its text → focus and framing.

People frame questions: who is asking, where to look, in which unit to answer, what to do if nothing fits. Words of the
frame are common to many questions and passages, so they drown the few that say what is sought.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from core.language.vocabulary import pattern_of

_PARTS = re.compile(r"(?<=[.?!:;])\s+|\n+")
_QUESTION = re.compile(r"[?؟]['\"”)\]]*$")
_DEFINITION = pattern_of("search/query.focus.definition")
_ABBREVIATED = re.compile(
    r"(?:\b[A-Za-z]|\b(?:inc|corp|co|ltd|vs|no|st|approx|incl|excl|dept|mr|ms|mrs|dr))\.$", re.IGNORECASE
)
_LONGEST_ABBREVIATION = 12
_LEAST_WORDS = 2


class Focus(NamedTuple):
    """``framing`` are the sentences beside those that ask; empty when the text has no question mark."""

    asked: str
    framing: str


def focus_of(question: str) -> Focus:
    """The sentences that end in a question mark and those that define its terms, and the others; a text without a
    question mark is asked whole."""
    parts = _question_sentences(question)
    asks = [bool(_QUESTION.search(part)) for part in parts]
    if sum(len(part.split()) for part, asking in zip(parts, asks, strict=True) if asking) < _LEAST_WORDS:
        return Focus(question, "")
    for place, part in enumerate(parts):
        if _DEFINITION.search(part):
            asks[place] = True
            if part.endswith(":") and place + 1 < len(parts):
                asks[place + 1] = True
    return Focus(
        " ".join(part for part, asking in zip(parts, asks, strict=True) if asking),
        " ".join(part for part, asking in zip(parts, asks, strict=True) if not asking),
    )


def _question_sentences(question: str) -> list[str]:
    """Its sentences; a point after an abbreviation ("U.S. obligations") ends none."""
    parts: list[list[str]] = []
    for part in filter(None, _PARTS.split(question.strip())):
        if parts and _ABBREVIATED.search(parts[-1][-1][-_LONGEST_ABBREVIATION:]):
            parts[-1].append(part)
        else:
            parts.append([part])
    return list(map(" ".join, parts))
