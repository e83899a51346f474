"""Lowers the scores of document parts that answer few questions, unless the question asks for them.

Covers, contents pages, signatures and lists of exhibits share their words with the whole document, so a search would
find them for every question; but they only answer questions about what they contain.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit
from core.store.items import SectionRole

HELD_BACK = 0.5
"""Factor on the score of such a document part if the question does not ask for it."""


def demote_roles(candidates: Sequence[ScoredHit], wanted: frozenset[SectionRole]) -> None:
    """Lowers ``fused`` and the strengths of passages in parts that were not asked for."""
    for each in candidates:
        book = each.item.source.book
        if book and book.role != "records" and book.role not in wanted:
            each.fused *= HELD_BACK
            each.lexical *= HELD_BACK
            each.figures *= HELD_BACK
