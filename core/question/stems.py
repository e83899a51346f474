"""Reduces labels and questions to word stems for comparison, without words that carry no meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from core.language import hebrew
from core.language.entities.periods import without_periods
from core.language.normalisation import fold
from core.language.phrases import words
from core.language.terms import stem
from core.language.total_labels import is_bare_total
from core.question.rules import rules

_FOOTNOTE = re.compile(r"[(\[](?:\d{1,2}|[a-z]|[ivx]{1,4})[)\]]", re.IGNORECASE)
_MARKED = re.compile(r"^([^\W\d]{3,})\d$")
"""Matches a footnote number attached to a word: "year1"."""
_BRITISH = ((re.compile(r"is(ation|ations|ed|ing|e|es)$"), r"iz\1"), (re.compile(r"our$"), "or"))
_SPLIT = re.compile(r"[/+]")
_LEAST_BRITISH = 6
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PERCENT = frozenset(("percentage", "percentages", "percents"))


@lru_cache(maxsize=32_768)
def stems(text: str) -> tuple[str, ...]:
    """Returns stems in text order, each once: ``"Net cash (used in) operations (1)"`` → ``net cash use oper``."""
    plain = _FOOTNOTE.sub(" ", text).replace("%", " percent ")
    found: dict[str, None] = {}
    for word in words(plain):
        for part in _SPLIT.split(word) if not word[:1].isdigit() else [word]:
            if part and (stemmed := stem_of(part)):
                found.setdefault(stemmed)
    return tuple(found)


@lru_cache(maxsize=32_768)
def stem_of(word: str) -> str:
    """Returns a word's stem; empty for a word without meaning."""
    plain = fold(word).removesuffix("'s").strip("'\"")
    plain = plain.replace(".", "") if not any(map(str.isdigit, plain)) else plain
    if match := _MARKED.match(plain):
        plain = match[1]
    if not plain or plain in rules().glue:
        return ""
    if is_bare_total(plain):
        return "total"
    if hebrew.is_hebrew(plain):
        return hebrew.variants(plain)[-1] if len(plain) > 3 else plain
    if plain in _PERCENT:
        return "percent"
    if plain in _NUMBERS:
        return str(_NUMBERS.index(plain) + 1)
    if len(plain) >= _LEAST_BRITISH:
        for ending, american in _BRITISH:
            plain = ending.sub(american, plain)
    return stem(plain)


@lru_cache(maxsize=1)
def weak_stems() -> frozenset[str]:
    """Returns stems of words that occur in many questions and so do not help to find a row."""
    return frozenset(filter(None, map(stem_of, rules().weak)))


def own_stems(text: str, names: Iterable[str]) -> frozenset[str]:
    """Returns stems of the content, without organisations (``names``) and periods."""
    return frozenset(stems(without_periods(text))) - {stem for name in names for stem in stems(name)}
