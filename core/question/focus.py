"""Separates what a question asks (focus) from the sentences around it (framing).

Framing says, for example, who is asking, where to look, in which unit to answer, or what to do if nothing fits. Its
words are common in many questions and passages, so they would outweigh the few relevant ones in a search.
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
    """A question's parts: the sentences that ask, and ``framing``, all other sentences; it is empty if the text has no
    question mark."""

    asked: str
    framing: str


def focus_of(question: str) -> Focus:
    """Splits a text into the sentences that end in a question mark or define a term used there (focus), and the others
    (framing); a text without a question mark is all focus."""
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
    """Splits a text into sentences; a period after an abbreviation ("U.S. obligations") does not end one."""
    parts: list[list[str]] = []
    for part in filter(None, _PARTS.split(question.strip())):
        if parts and _ABBREVIATED.search(parts[-1][-1][-_LONGEST_ABBREVIATION:]):
            parts[-1].append(part)
        else:
            parts.append([part])
    return list(map(" ".join, parts))
