"""Finds the phrases that ask for both sides of an issue; they say nothing about its subject."""

from __future__ import annotations

import re

from core.language.terms import content_terms
from core.language.vocabulary import phrases

_phrase = phrases("graph/understanding.debate_order")
_ORDER = re.compile(rf"{_phrase('english')}\s*|{_phrase('hebrew')}\s*", re.IGNORECASE)


def without_debate_order(text: str) -> str:
    """Returns ``text`` without the request for pros and cons; unchanged if nothing else would remain."""
    rest = " ".join(_ORDER.sub(" ", text).split())
    return rest if content_terms(rest) else text
