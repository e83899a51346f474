"""Decides whether a misspelt name or choice means a known one."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from core.language.vocabulary import file_of

NEARLY = 80.0
"""Minimum similarity (rapidfuzz ratio) for a word to count as a misspelling."""
LEAST_SLIP = 4
"""Minimum number of letters in a word for accepting one extra, missing, wrong or swapped letter."""


def bare(name: str) -> str:
    """The name in lower case, without separators."""
    return re.sub(r"[\W_]+", "", name).lower()


def is_misspelt(sent: str, known: str) -> bool:
    """Whether ``sent`` is a misspelling of ``known`` (both in lower case)."""
    if fuzz.ratio(sent, known) >= NEARLY:
        return True
    return min(len(sent), len(known)) >= LEAST_SLIP - 1 and len(known) >= LEAST_SLIP and OSA.distance(sent, known) == 1


_names = file_of("argument_names", dict[str, list[list[str]]])


@cache
def _usual() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _names()["names"]:
        names = [bare(each) for each in group]
        for name in names:
            found.setdefault(name, set()).update(names)
    return {name: frozenset(others - {name}) for name, others in found.items()}


def usual_names(name: str) -> frozenset[str]:
    """Other names that models use for this parameter, without separators."""
    return _usual().get(bare(name), frozenset())
