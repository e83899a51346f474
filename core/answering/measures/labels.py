"""How far a row label is a figure's printed line: *label, line* → 0..1; both as words without number and sign."""

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
"""What "from continuing operations" takes away: the whole is meant where nothing else is said."""
_WORD = re.compile(r"[^\W_]+")
_BRACKETED = re.compile(r"\([^()]*\)")
_NOTE = re.compile(r"\((?:see )?notes?\b[^()]*\)|\((?:\w|\d{1,2})\)", re.IGNORECASE)
_CHANGES_MEANING = frozenset({
    "noncontrolling", "controlling", "minority", "per", "percent", "percentage", "growth", "ratio", "margin",
    "beginning", "excluding", "adjusted", "discontinued", "change", "increase", "decrease", "turnover", "rate", "tax",
    "purchased", "sold", "held", "related", "payable", "receivable", "expense", "income", "loss", "gain", "weighted",
    "share", "pro", "forma", "average",
})  # fmt: skip
"""Words behind a line that make another figure of it: "cash and cash equivalents at *beginning* of year"."""


@lru_cache(maxsize=100_000)
def words_of(text: str) -> Words:
    """Lower-case words, plurals without their s; apostrophes join, other signs part."""
    plain = fold(text).replace("'", "").replace("’", "").replace("&", " and ")
    return tuple(map(_singular, _WORD.findall(plain)))


@lru_cache(maxsize=100_000)
def forms_of(label: str) -> tuple[Words, ...]:
    """The words of a label, and those outside of its brackets."""
    full = words_of(_NOTE.sub(" ", label))
    bare = words_of(_BRACKETED.sub(" ", label))
    return (full,) if bare == full or not bare else (full, bare)


def exactness(label: Words, line: Words) -> float:
    """1 where they are the same, less the more words follow, 0 where these mean something else."""
    if label == line:
        return EXACT
    if len(line) > len(label) or label[: len(line)] != line:
        return 0.0
    more = label[len(line) :]
    if any(word in _CHANGES_MEANING for word in _before_details(more)):
        return 0.0
    return _BEGINS - _PER_WORD * min(len(more), _LONGEST) - _PARTLY * ("continuing" in more)


def ends_with(label: Words, line: Words, later: Words) -> float:
    """For lines in two parts: "earnings per share attributable to common shareholders — diluted"."""
    if label[: len(line)] != line or label[len(label) - len(later) :] != later:
        return 0.0
    between = label[len(line) : len(label) - len(later)]
    is_other = "liability" in between or any(word in _CHANGES_MEANING for word in between)
    return _BEGINS if between and not is_other else 0.0


def _before_details(more: Words) -> Words:
    """What follows up to "net of" or "less", behind which only details stand."""
    for place, word in enumerate(more):
        if word in ("of", "less", "after", "before") and place:
            return more[:place]
    return more


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
    return word
