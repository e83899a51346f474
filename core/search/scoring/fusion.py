"""Joins the lanes into one score.

``weighted``: calibrated strengths, which are comparable between questions, so a lane that has nothing to say adds
little by itself; how far meaning is trusted depends on the question (``core.search.scoring.dense_confidence``).
``rrf``: reciprocal rank, `Σ 1/(k + rank)` (docs/specification.md, "Fusion"), divided by its maximum 2/(k + 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import ScoredHit

MEANING = 0.35
"""The share of meaning where it is fully trusted. On Hebrew paragraphs, code and long English texts alike, .3 to .4 is
the best range (``benchmarks/retrieval.py``)."""

LANE = 0.15
"""The share of the lane's own score where words are all there is: code is found by how rare the shared words are more
than by how many they are. The least of three that brings code above the lane alone."""

UNSEEN = 1.15
"""What words are worth where there is no vector yet: with this, texts with and without one have the same chance in a
library that is half embedded (1.0 would hide those without, 1.5 those with one)."""


FIGURES = 1.0
"""What it adds that a passage prints all the figures that are sought: with .5 to 1.5, words of the question find as
many pages of annual reports first; without it they find running text that talks of the figure."""


HEADING = 0.3
"""What it adds that the headings above a passage say what is asked."""


def fuse_weighted(candidates: Sequence[ScoredHit], trust: float) -> None:
    """Set ``fused`` of every candidate in place."""
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
    """Where there are no vectors at all, two ways of weighing the same words: their share, and the lane's own score."""
    best = max((each.bm25 or 0.0 for each in candidates), default=0.0) or 1.0
    for each in candidates:
        each.fused = (1 - LANE) * each.lexical + LANE * (each.bm25 or 0.0) / best
        each.fused += FIGURES * each.figures + HEADING * each.heading


def fuse_rrf(candidates: Sequence[ScoredHit], k: int) -> None:
    """Set ``fused`` of every candidate in place."""
    for each in candidates:
        ranks = [rank for rank in (each.dense_rank, each.lexical_rank) if rank is not None]
        each.fused = sum(1 / (k + rank) for rank in ranks) * (k + 1) / 2
