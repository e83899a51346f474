"""Detects an entry of a list of references: it names authors, a title and where it appeared, none of which the document
is about."""

from __future__ import annotations

import re

from core.language.entities.calendar_words import YEAR

_VOLUME = re.compile(
    r"\b\d{1,4}\s?(?:\(\d[\w -]{0,12}\)\s?[:,]|:)\s?(?:pp?\.? ?)?e?\d{1,6}(?:\s?[-–]\s?\d{1,6})\b|\bpp?\. ?\d{1,5}[-–]\d"
)
_YEAR = re.compile(rf"\b{YEAR}[a-z]?\b")
_AUTHORS = re.compile(
    r"^\W{0,3}(?:\[?\d{1,3}[\].]{0,2} )?(?:[A-Z][\w'-]{1,30},? (?:[A-Z]\.?[ -]?){1,3}(?:,|\.| and|;|et al) ?)"
)
_ET_AL = re.compile(r"\bet al\b|\bdoi:|\bIn: |\bProceedings of|\barXiv\b")


def is_reference(sentence: str) -> bool:
    """Whether at least two signs of a reference are there: authors with initials, a volume and pages, a year."""
    signs = (_AUTHORS.match(sentence), _VOLUME.search(sentence), _YEAR.search(sentence), _ET_AL.search(sentence))
    return sum(sign is not None for sign in signs) >= 2 and bool(signs[0] or signs[1])
