"""Checks answers to questions for an amount per unit ("dividend per share"): is the amount per that unit?

A total instead of a per-share amount is wrong by a factor of the number of shares, but looks plausible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.language.vocabulary import pattern_of, phrases, words_of
from core.messages import message
from core.records.answer import Answer
from core.words import Words

_phrase = phrases("answering/questions.per_unit")
_PER = _phrase("per")

_TIMES = "year|annum|quarter|month|week|cent|se|capita|diem"
_OTHER = "the|its|our|a|an|this|that|their|gaap|company"
_ENGLISH = re.compile(rf"(?<!as )\bper[- ](?!(?:{_TIMES}|{_OTHER})\b)(?:\w+ (?=share\b))?(\w{{3,}})", re.IGNORECASE)
_HEBREW = re.compile(_phrase("hebrew"))
_OF_SHARES = pattern_of("answering/questions.per_unit.of_shares")
_SHARES = frozenset(words_of("answering/questions.per_unit.shares"))
_DIVIDED = "÷"


def unit_asked(text: str) -> str | None:
    """Returns the unit, such as "share" for "dividend per share"; ``None`` if a question asks for nothing per unit."""
    found = _ENGLISH.search(text) or _HEBREW.search(text)
    return found[1].lower() if found else None


def is_by_unit(unit: str, answer: Answer, words: Iterable[str]) -> bool:
    """Returns whether the answer's line, labels or headings state the unit, or whether the answer is itself the result
    of a division."""
    if _DIVIDED in answer.calculation:
        return True
    text = " ".join((answer.line, answer.metric or "", answer.unit or "", *words))
    if unit in _SHARES:
        return bool(_OF_SHARES.search(text))
    own = re.escape(unit)
    return bool(re.search(rf"\b(?:per|a|each|every)[- ](?:\w+ )?{own}\b|{_PER}{own}", text, re.IGNORECASE))


def not_by_unit(unit: str) -> Words:
    """Returns the warning for an answer that does not state that it is per unit."""
    return message("answering.per_unit.not_by_unit", unit=unit)
