"""Scores how well a row label matches a figure's usual label, 0..1; numbers and signs are ignored."""

from __future__ import annotations

import re
from functools import lru_cache

from core.language.normalisation import fold

Words = tuple[str, ...]

EXACT = 1.0
_BEGINS = 0.92
_PER_WORD = 0.02
_LONGEST = 8
_PARTLY = 0.1
"""Penalty for "from continuing operations": the total is meant unless the question says otherwise."""
_WORD = re.compile(r"[^\W_]+")
_BRACKETED = re.compile(r"\([^()]*\)")
_NOTE = re.compile(r"\((?:see )?notes?\b[^()]*\)|\((?:\w|\d{1,2})\)", re.IGNORECASE)
_CHANGES_MEANING = frozenset({
    "noncontrolling", "controlling", "minority", "per", "percent", "percentage", "growth", "ratio", "margin",
    "beginning", "excluding", "adjusted", "discontinued", "change", "increase", "decrease", "turnover", "rate", "tax",
    "purchased", "sold", "held", "related", "payable", "receivable", "expense", "income", "loss", "gain", "weighted",
    "share", "pro", "forma", "average",
})  # fmt: skip
"""Words after a label that make it a different figure: "cash and cash equivalents at *beginning* of year"."""


@lru_cache(maxsize=100_000)
def words_of(text: str) -> Words:
    """Returns the words in lowercase, without the s of plurals; apostrophes are removed within words, other signs
    separate words."""
    plain = fold(text).replace("'", "").replace("’", "").replace("&", " and ")
    return tuple(map(_singular, _WORD.findall(plain)))


@lru_cache(maxsize=100_000)
def forms_of(label: str) -> tuple[Words, ...]:
    """Returns two forms of a label: all its words, and only those outside brackets."""
    full = words_of(_NOTE.sub(" ", label))
    bare = words_of(_BRACKETED.sub(" ", label))
    return (full,) if bare == full or not bare else (full, bare)


def exactness(label: Words, line: Words) -> float:
    """Returns 1 if the labels are equal, less for each extra word, and 0 if the extra words change the meaning."""
    if label == line:
        return EXACT
    if len(line) > len(label) or label[: len(line)] != line:
        return 0.0
    more = label[len(line) :]
    if any(word in _CHANGES_MEANING for word in _before_details(more)):
        return 0.0
    return _BEGINS - _PER_WORD * min(len(more), _LONGEST) - _PARTLY * ("continuing" in more)


def ends_with(label: Words, line: Words, later: Words) -> float:
    """Matches labels in two parts: "earnings per share attributable to common shareholders — diluted"."""
    if label[: len(line)] != line or label[len(label) - len(later) :] != later:
        return 0.0
    between = label[len(line) : len(label) - len(later)]
    is_other = "liability" in between or any(word in _CHANGES_MEANING for word in between)
    return _BEGINS if between and not is_other else 0.0


def _before_details(more: Words) -> Words:
    """Returns the words before "net of" or "less", after which a label only gives details."""
    for place, word in enumerate(more):
        if word in ("of", "less", "after", "before") and place:
            return more[:place]
    return more


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    return word
