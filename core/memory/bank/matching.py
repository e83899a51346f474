"""Finds the memory bank entry that a user describes in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.memory.bank.write_guard import normalised_entry
from core.models.embeddings import Calibration
from core.store.items import MemoryItem

LEAST_COVERED = 0.5
"""Share of the query's terms that an entry must contain to match."""
LEAST_STRENGTH = 0.5
"""Minimum calibrated strength for suggesting an entry by semantic similarity only."""
CLEAR = 0.12
"""Minimum difference between the best entry's score and the second's."""


@dataclass(frozen=True)
class MatchedEntries:
    """Search results: ``fitting`` entries contain the query's words equally well; without any, ``near`` has
    semantically close ones."""

    fitting: list[MemoryItem]
    near: list[MemoryItem]


def match_entries(
    query: str, known: Sequence[tuple[MemoryItem, float | None]], calibration: Calibration | None
) -> MatchedEntries:
    """The best entries, best first; ``known`` has items with their cosine similarities to the query (``None``: no
    vector).

    Semantic similarity never decides by itself, because the selected entry will be changed or archived. Among ten facts
    the packaged model ranked a wrong one first for 5 of 12 queries, three times with a clear lead.
    """
    same = [item for item, _ in known if normalised_entry(item.text) == normalised_entry(query)]
    if same:
        return MatchedEntries(same[:1], [])
    strengths = {
        item.id: calibration.strength(cosine) if calibration and cosine is not None else 0.0 for item, cosine in known
    }
    covered = {item.id: _query_coverage(query, item) for item, _ in known}
    ranked = sorted((item for item, _ in known), key=lambda item: (-covered[item.id] - strengths[item.id], item.id))
    fitting = [item for item in ranked if covered[item.id] >= LEAST_COVERED]
    if not fitting:
        return MatchedEntries([], [item for item in ranked if strengths[item.id] >= LEAST_STRENGTH])
    scores = [covered[item.id] + strengths[item.id] for item in fitting]
    return MatchedEntries([item for item, score in zip(fitting, scores, strict=True) if scores[0] - score < CLEAR], [])


def _query_coverage(query: str, item: MemoryItem) -> float:
    """The share of the query's terms that the entry contains in any form, 0..1."""
    terms = content_terms(query) or normalised_entry(query).split()
    folded = fold(item.text)
    return sum(covers(term, folded) for term in terms) / len(terms) if terms else 0.0
