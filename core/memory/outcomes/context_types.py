"""Classifies the kind of work in a message, which is the first key of the action statistics."""

from __future__ import annotations

import re
from functools import cache

from core.language.hebrew import PREFIXES
from core.language.normalisation import fold
from core.language.vocabulary import file_of
from core.words import Language

GENERAL = "general"


_words = file_of("memory/context_types", dict[str, dict[Language, str]])


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {name: _pattern(_alternatives(words["en"]), _alternatives(words["he"])) for name, words in _words().items()}


def _pattern(english: str, hebrew: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})(?!\w)|\b[{PREFIXES}]{{0,2}}(?:{hebrew})(?!\w)")


def _alternatives(words: str) -> str:
    return "|".join(_word(word.strip()) for word in words.split(","))


def _word(word: str) -> str:
    return re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "")


def detect_context_type(text: str) -> str:
    """The first kind in the table that has one of its words in ``text``; ``general`` if none has."""
    folded = fold(text)
    return next((name for name, pattern in _patterns().items() if pattern.search(folded)), GENERAL)
