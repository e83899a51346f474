"""Groups the kinds of questions by what may answer them, so that questions for different things are not confused."""

from __future__ import annotations

from functools import lru_cache

from core.answering.prose.question import read_question
from core.language.detection import detect

_FAMILIES = {
    "date": "date",
    "duration": "time",
    "frequency": "time",
    "amount": "number",
    "count": "number",
    "percent": "share",
    "figure": "number",
    "person": "person",
    "place": "place",
    "reason": "reason",
    "purpose": "reason",
    "yesno": "yesno",
    "condition": "when",
}
"""The family of each kind; other kinds may ask for anything."""


@lru_cache(maxsize=512)
def answer_families(question: str) -> frozenset[str]:
    """What a question asks for; empty if its words do not tell.

    >>> sorted(answer_families("Who signed the lease, and when was it signed?"))
    ['date', 'person']
    """
    kinds = read_question(question, detect(question)).kinds
    return frozenset(_FAMILIES[kind] for kind in kinds if kind in _FAMILIES)
