"""Detects an entry of a list of references: it names authors, a title and where it appeared, none of which the document
is about."""

from __future__ import annotations

import re

from core.language.entities.calendar_words import YEAR
from core.language.vocabulary import phrase_of

_VOLUME = re.compile(
    r"\b\d{1,4}\s?(?:\(\d[\w -]{0,12}\)\s?[:,]|:)\s?(?:pp?\.? ?)?e?\d{1,6}(?:\s?[-–]\s?\d{1,6})\b"
    r"|\bpp?\. ?\d{1,5}[-–]\d"
)
_YEAR = re.compile(rf"\b{YEAR}[a-z]?\b")
_AUTHORS = re.compile(
    r"^\W{0,3}(?:\[?\d{1,3}[\].]{0,2} )?(?:[A-Z][\w'-]{1,30},? (?:[A-Z]\.?[ -]?){1,3}(?:,|\.| and|;|et al) ?)"
)
_ENTRY = re.compile(r"\W{0,3}\[?\d{1,3}[\].]")
_ET_AL = re.compile(r"\bet al\b|\bdoi:|\bIn: |\bProceedings of|\barXiv\b")


_HEADING = re.compile(rf"(?:\d{{1,2}}\.? )?(?:{phrase_of('knowledge/heads.references')}):?", re.IGNORECASE)


def is_list_of_references(heading: str) -> bool:
    return bool(_HEADING.fullmatch(heading.strip()))


_SIGNS = re.compile(rf"\bpp?\. ?\d|\bIn Proceedings\b|\barXiv\b|\bdoi\b|\bet al\b|, {YEAR}[a-z]?\.")
LEAST_SIGNS, LETTERS_PER_SIGN = 4, 200
"""A passage is part of a list of references if it has at least four signs of references, and one in 200 characters."""


def is_bibliography(text: str) -> bool:
    signs = sum(1 for _ in _SIGNS.finditer(text))
    return signs >= LEAST_SIGNS and signs * LETTERS_PER_SIGN >= len(text)


def is_reference(sentence: str) -> bool:
    """Whether at least two signs of a reference are there: authors with initials, a volume and pages, a year."""
    if _ENTRY.match(sentence) and _ET_AL.search(sentence) and _YEAR.search(sentence):
        return True
    signs = (_AUTHORS.match(sentence), _VOLUME.search(sentence), _YEAR.search(sentence), _ET_AL.search(sentence))
    return sum(sign is not None for sign in signs) >= 2 and bool(signs[0] or signs[1])
