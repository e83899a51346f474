"""Which entry of the bank a person means by a few words [001 §8.11]."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.memory.write_guard import normal
from core.models.embeddings import Calibration
from core.store.items import MemoryItem

LEAST_COVERED = 0.5
"""Share of the query's terms that an entry must hold to be meant by its words."""
LEAST_STRENGTH = 0.85
"""Calibrated strength of an entry that is meant by its sense alone."""
CLEAR = 0.12
"""By how much the best must lead."""


def best_matches(
    query: str, near: Sequence[tuple[MemoryItem, float | None]], calibration: Calibration | None
) -> list[MemoryItem]:
    """Those that fit best and equally well, the best first: one is an answer, none and several are not.

    ``near``: items and their cosines to the query, ``None`` where there is no vector.
    """
    same = [item for item, _ in near if normal(item.text) == normal(query)]
    if same:
        return same[:1]
    scored = sorted(
        ((_score(query, item, cosine, calibration), item) for item, cosine in near),
        key=lambda each: (-each[0], each[1].id),
    )
    fitting = [(score, item) for score, item in scored if score > 0]
    return [item for score, item in fitting if fitting[0][0] - score < CLEAR]


def _score(query: str, item: MemoryItem, cosine: float | None, calibration: Calibration | None) -> float:
    """0 when the entry does not fit, else up to 2: the share of the terms and the strength of the meaning."""
    terms = content_terms(query) or normal(query).split()
    folded = fold(item.text)
    covered = sum(covers(term, folded) for term in terms) / len(terms) if terms else 0.0
    strength = calibration.strength(cosine) if calibration and cosine is not None else 0.0
    if covered < LEAST_COVERED and strength < LEAST_STRENGTH:
        return 0.0
    return covered + strength
