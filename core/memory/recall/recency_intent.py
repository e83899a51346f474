"""Detects whether a question asks for the latest memories."""

from __future__ import annotations

import re

from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

_LATEST = re.compile(phrase_of("memory/recall.recency_intent.latest"))


def asks_for_the_latest(question: str) -> bool:
    """Whether the question contains a word like *lately* as a whole word."""
    return bool(_LATEST.search(fold(question)))
