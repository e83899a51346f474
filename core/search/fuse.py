"""Joins the lanes into one score.

``weighted``: calibrated strengths, which are comparable between queries, so a lane that has nothing to say adds
little by itself. ``rrf``: reciprocal rank, `Σ 1/(k + rank)` [001 §6.1.2], divided by its maximum 2/(k + 1).
An item that has no vector yet is judged by its words alone and loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.search.request import Explained

DENSE_WEIGHT = 0.3
"""Chosen by ``benchmarks/retrieval.py``: the best of .2 to .6 on Hebrew paragraphs and code alike."""


def fuse_weighted(candidates: Sequence[Explained], dense_ran: bool) -> None:
    """Set ``fused`` of every candidate in place."""
    for each in candidates:
        if not dense_ran or each.dense is None:
            each.fused = each.lexical
        else:
            each.fused = DENSE_WEIGHT * each.dense + (1 - DENSE_WEIGHT) * each.lexical


def fuse_rrf(candidates: Sequence[Explained], k: int) -> None:
    """Set ``fused`` of every candidate in place."""
    for each in candidates:
        ranks = [rank for rank in (each.dense_rank, each.lexical_rank) if rank is not None]
        each.fused = sum(1 / (k + rank) for rank in ranks) * (k + 1) / 2
