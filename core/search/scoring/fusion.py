"""Combines keyword and embedding results into one score.

``weighted``: calibrated strengths, which are comparable between questions, so a retriever without good results adds
little; how far embeddings are trusted depends on the question (``core.search.scoring.dense_confidence``). ``rrf``:
reciprocal rank fusion, `Σ 1/(k + rank)` (docs/specification.md, "Fusion"), divided by its maximum 2/(k + 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

MEANING = 0.35
"""Weight of embeddings if fully trusted. For Hebrew paragraphs, code and long English texts, .3 to .4 is the best range
(``benchmarks/retrieval.py``)."""

LANE = 0.15
"""Weight of the raw keyword score if no candidate has an embedding: for code, rare shared words matter more than many
shared words. Of three values tested, this is the lowest that ranks code better than the raw score does."""

UNSEEN = 1.15
"""Factor on the keyword score of a text that has no embedding yet. With this value, texts with and without an embedding
have the same chance in a library in which half have one (1.0 would hide those without, 1.5 those with one)."""


FIGURES = 1.0
"""Bonus for a passage that prints all the requested figures. With any value from .5 to 1.5, searches in annual reports
find the right page first equally often; without a bonus, they find running text about the figure."""


HEADING = 0.3
"""Bonus if the headings above a passage match the question."""


def fuse_weighted(candidates: Sequence[ScoredHit], trust: float) -> None:
    """Sets ``fused`` of every candidate in place."""
    share = MEANING * trust
    if all(each.dense is None for each in candidates):
        _fuse_words(candidates)
        return
    for each in candidates:
        if each.dense is None:
            each.fused = each.lexical * (UNSEEN if trust > 0 else 1.0)
        else:
            each.fused = share * each.dense + (1 - share) * each.lexical
        each.fused += FIGURES * each.figures + HEADING * each.heading


def _fuse_words(candidates: Sequence[ScoredHit]) -> None:
    """If no candidate has an embedding, combines two keyword measures: the share of the question's words in a text, and
    the raw keyword score."""
    best = max((each.bm25 or 0.0 for each in candidates), default=0.0) or 1.0
    for each in candidates:
        each.fused = (1 - LANE) * each.lexical + LANE * (each.bm25 or 0.0) / best
        each.fused += FIGURES * each.figures + HEADING * each.heading


def fuse_rrf(candidates: Sequence[ScoredHit], k: int) -> None:
    """Sets ``fused`` of every candidate in place."""
    for each in candidates:
        ranks = [rank for rank in (each.dense_rank, each.lexical_rank) if rank is not None]
        each.fused = sum(1 / (k + rank) for rank in ranks) * (k + 1) / 2
