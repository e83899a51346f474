"""The words that ask for both sides of a matter, which say nothing about the matter."""

from __future__ import annotations

import re

from core.language.terms import content_terms
from core.language.vocabulary import phrases

_phrase = phrases("graph/understanding.debate_order")
_ORDER = re.compile(rf"{_phrase('english')}\s*|{_phrase('hebrew')}\s*", re.IGNORECASE)


def without_debate_order(text: str) -> str:
    """``text`` without the order to say what speaks for and against; as it is when it names nothing else."""
    rest = " ".join(_ORDER.sub(" ", text).split())
    return rest if content_terms(rest) else text
