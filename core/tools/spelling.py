"""Names and choices as models spell them: *a word that was sent, one that is known* → whether that one is meant."""

from __future__ import annotations

import re
from functools import cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from core.language.vocabulary import file_of

NEARLY = 80.0
"""Likeness (rapidfuzz ratio) from which a word is taken to be a misspelt one."""
LEAST_SLIP = 4
"""Letters of a word of which one letter too many, too few, wrong, or two that changed places, is a slip."""


def bare(name: str) -> str:
    """Without what joins words, in lower case."""
    return re.sub(r"[\W_]+", "", name).lower()


def is_misspelt(sent: str, known: str) -> bool:
    """Whether ``sent`` is ``known`` with a slip (both in lower case)."""
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
    """What else models call a parameter of this name, bare."""
    return _usual().get(bare(name), frozenset())
