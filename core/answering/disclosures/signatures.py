"""Finds who signed as a company's auditor: takes filing passages; returns the firm and its start date as auditor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answering.disclosures.vocabulary import Disclosure
from core.figures.records import TextEvidence

_REACH = 400
"""Maximum characters between a signature and the sentence with the start date."""


@dataclass(frozen=True)
class Signature:
    """An auditor's signature; ``since`` is the start date, empty if not stated; ``text`` is the text from the name to
    the start date."""

    passage: TextEvidence
    firm: str
    since: str
    text: str


def signature(kind: Disclosure, passages: Sequence[TextEvidence]) -> Signature | None:
    """Returns the first signature that has a start date, otherwise the first signature; the patterns of ``kind`` are
    sorted best first."""
    found = [each for passage in passages if (each := _signature_in(kind, passage)) is not None]
    return next((each for each in found if each.since), found[0] if found else None)


def _signature_in(kind: Disclosure, passage: TextEvidence) -> Signature | None:
    if not kind.may_stand_in(passage.text, 0.0):
        return None
    for pattern in kind.patterns(()):
        for match in pattern.finditer(passage.text):
            firm = " ".join(match["firm"].split()).strip(" ,.")
            since = kind.since(passage.text[match.end() : match.end() + _REACH])
            if not kind.is_never(firm):
                return Signature(passage, firm, since, f"{firm} {since}".strip())
    return None
