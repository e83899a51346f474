"""What kind of work a message is: the first key of what actions have taught."""

from __future__ import annotations

import re
from functools import cache

from pydantic import BaseModel, RootModel

from core.language.hebrew import PREFIXES
from core.language.normalisation import fold
from core.language.vocabulary import read_vocabulary

GENERAL = "general"


class _Words(BaseModel, extra="forbid"):
    en: str
    he: str


class _Table(RootModel[dict[str, _Words]]):
    pass


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = _Table.model_validate(read_vocabulary("memory/context_types"))
    return {name: _word_pattern(words) for name, words in table.root.items()}


def _word_pattern(words: _Words) -> re.Pattern[str]:
    english = "|".join(_word(word.strip()) for word in words.en.split(","))
    hebrew = "|".join(_word(word.strip()) for word in words.he.split(","))
    return re.compile(rf"\b(?:{english})(?!\w)|\b[{PREFIXES}]{{0,2}}(?:{hebrew})(?!\w)")


def _word(word: str) -> str:
    return re.escape(word.removesuffix("*")) + (r"\w*" if word.endswith("*") else "")


def detect_context_type(text: str) -> str:
    """The first kind of the table that has a word in ``text``; ``general`` when none has."""
    folded = fold(text)
    return next((name for name, pattern in _patterns().items() if pattern.search(folded)), GENERAL)
