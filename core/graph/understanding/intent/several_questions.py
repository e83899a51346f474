"""Splits a message that asks several questions: "1. … 2. …", "…? And …?", or sentences that ask."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.graph.understanding import wording
from core.graph.understanding.intent.router import split_parts
from core.graph.understanding.mentions import MARK, without_mentions
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.vocabulary import phrase_of

MOST = 10
"""Maximum number of questions that are answered apart."""
_POINT = re.compile(r"^\s*(?:[-*•]|\(?[a-z\d]{1,2}[.)])\s+", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?؟])[\"')]*\s+")
_QUESTION = "?"
_JOINT = re.compile(phrase_of("graph/understanding.several_questions.joint"))
"""A comma or a space before a question that "and" joins to the one before it."""


def questions_in(message: str) -> list[str]:
    """Returns the questions of ``message`` in order; none if it asks only one, or too many.

    >>> questions_in("When does the lease end? And who pays for the roof?")
    ['When does the lease end?', 'And who pays for the roof?']
    >>> questions_in("When does the lease end, and who pays for the roof?")
    ['When does the lease end?', 'And who pays for the roof?']
    """
    parts = split_parts(message).parts
    if len(parts) < 2 or not any(map(_asks, parts)):
        parts = [part for each in _sentences(message) if _asks(each) for part in _joined_questions(each)]
    return parts if 1 < len(parts) <= MOST and content_terms(parts[0]) else []


def _sentences(message: str) -> Sequence[str]:
    lines = [_POINT.sub("", line) for line in message.splitlines()]
    return [sentence.strip() for line in lines for sentence in _END.split(line) if sentence.strip()]


def _joined_questions(sentence: str) -> list[str]:
    """Returns the questions of a sentence that joins them by "and"; each must have a subject."""
    folded = fold(sentence)
    cuts = [match.span() for match in _JOINT.finditer(folded)] if len(folded) == len(sentence) else []
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(sentence)]
    parts = [sentence[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    if len(parts) < 2 or not all(_asks(each) and content_terms(each) for each in parts):
        return [sentence]
    end = _QUESTION if sentence.rstrip("\"' )").endswith(_QUESTION) else ""
    whole = [*(each.rstrip(" ,") + end for each in parts[:-1]), parts[-1]]
    return [each[:1].upper() + each[1:] if sentence[:1].isupper() else each for each in whole]


def _asks(text: str) -> bool:
    """Returns whether a sentence asks by its first words, or has a question mark and a subject."""
    folded = fold(without_mentions(text, MARK))
    if wording.lists().interrogative.search(folded):
        return True
    return folded.rstrip("\"' )").endswith(_QUESTION) and len(content_terms(folded)) > 1
