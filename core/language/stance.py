"""Finds words of certainty, extent and cause (hedges, universals, causes), with positions for each kind."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from core.language.cache_sizes import TEXTS
from core.language.normalisation import fold
from core.language.vocabulary import phrase_of

Sort = Literal[
    "hedges",
    "causes",
    "universals",
    "partial",
    "restricting",
    "exceptions",
    "conditions",
    "must",
    "may",
    "about",
    "below",
    "above",
    "from",
]


@cache
def phrases(sort: Sort) -> tuple[str, ...]:
    """Returns the phrases of one kind (``sort``), longest first."""
    listed = phrase_of(f"stance.{sort}").split(",")
    return tuple(sorted({" ".join(each.split()) for each in listed}, key=len, reverse=True))


@cache
def pattern(sort: Sort) -> re.Pattern[str]:
    """Compiles a whole-word pattern for the phrases of one kind (``sort``); Hebrew phrases also match after joined
    prefix letters."""
    alternatives = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases(sort))
    return re.compile(rf"(?<![\w'-])(?:[ושה]{{0,2}}(?=[א-ת]))?(?P<mark>{alternatives})(?![\w'])", re.IGNORECASE)


@lru_cache(maxsize=TEXTS)
def marks(text: str, sort: Sort) -> tuple[tuple[int, int], ...]:
    """Returns the positions of phrases of one kind (``sort``) in ``text``, which must be normalised by :func:`fold`."""
    return tuple(match.span("mark") for match in pattern(sort).finditer(text))


def has(text: str, sort: Sort) -> bool:
    """Returns whether ``text`` contains a phrase of one kind (``sort``)."""
    return bool(marks(fold(text), sort))
