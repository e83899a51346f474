"""Splits a message that asks several questions: "1. … 2. …", "…? And …?", or sentences that ask."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.understanding import wording
from core.graph.understanding.intent.router import split_parts
from core.graph.understanding.mentions import MARK, without_mentions
from core.language.normalisation import fold
from core.language.terms import content_terms

MOST = 10
"""Maximum number of questions that are answered apart."""
_POINT = re.compile(r"^\s*(?:[-*•]|\(?[a-z\d]{1,2}[.)])\s+", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?؟])[\"')]*\s+")
_QUESTION = "?"


def questions_in(message: str) -> list[str]:
    """Returns the questions of ``message`` in order; none if it asks only one, or too many.

    >>> questions_in("When does the lease end? And who pays for the roof?")
    ['When does the lease end?', 'And who pays for the roof?']
    """
    parts = split_parts(message).parts
    if len(parts) < 2 or not any(map(_asks, parts)):
        parts = [each for each in _sentences(message) if _asks(each)]
    return parts if 1 < len(parts) <= MOST and content_terms(parts[0]) else []


def _sentences(message: str) -> Sequence[str]:
    lines = [_POINT.sub("", line) for line in message.splitlines()]
    return [sentence.strip() for line in lines for sentence in _END.split(line) if sentence.strip()]


def _asks(text: str) -> bool:
    """Returns whether a sentence asks by its first words, or has a question mark and a subject."""
    folded = fold(without_mentions(text, MARK))
    if wording.lists().interrogative.search(folded):
        return True
    return folded.rstrip("\"' )").endswith(_QUESTION) and len(content_terms(folded)) > 1
