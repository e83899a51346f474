"""Applies the weight table: the more a memory has been proven by outcomes, the less similarity counts
(docs/specification.md, "Ranking")."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.memory.ranking.boosts import KNOWN, Boosts, distance_factor, quality
from core.search.request import OutcomeScore, ScoredHit
from core.store.items import SCORED, MemoryItem

DENSE, TEXT, RRF = 0.6, 0.2, 0.2
HIGH_QUALITY = 0.8
RRF_K = 60

Weights = tuple[float, float]
"""Two weights: of similarity, and of the value learned from outcomes."""

_ROWS: tuple[tuple[int, float, Weights], ...] = (
    (5, 0.8, (0.20, 0.80)),
    (3, 0.7, (0.25, 0.75)),
    (2, 0.5, (0.35, 0.65)),
)
"""Rows of minimum uses, minimum outcome score, and weights; the first matching row applies."""
_UNPROVEN: Weights = (0.70, 0.30)
_HIGH_BANK: Weights = (0.45, 0.55)
_BANK: Weights = (0.60, 0.40)


def weigh_as_seed(candidates: Sequence[ScoredHit], boosts: Boosts) -> None:
    """`w_e × similarity + w_l × learned`; for bank items times `1 + q` after the cross-encoder."""
    for each in candidates:
        similarity = _similarity(each, boosts)
        factors = boosts.of(each.item, similarity)
        if each.item.tier == "memory_bank":
            factors.pop("known_solution", None)  # the distance already includes this factor
        similarity = boosts.boosted(similarity, factors)
        score = learned(each.item)
        of_similarity, of_score = weights(each.item)
        each.weighed = of_similarity * similarity + of_score * score
        each.authority = 1 + quality(each.item)
        each.learned = OutcomeScore(similarity, score, of_similarity, of_score, factors)


def weights(item: MemoryItem) -> Weights:
    """The weights from the item's row in the table."""
    if item.tier == "memory_bank":
        return _HIGH_BANK if quality(item) >= HIGH_QUALITY else _BANK
    for uses, score, row in _ROWS:
        if item.stats.uses >= uses and item.stats.score >= score:
            return row
    return _UNPROVEN


def learned(item: MemoryItem) -> float:
    """The learned value: Wilson's bound (one half without outcomes), for bank items their quality, for books zero."""
    if item.tier in SCORED:
        return item.stats.wilson_score if item.stats.uses else 0.5
    return quality(item)


def _similarity(each: ScoredHit, boosts: Boosts) -> float:
    """`0.6 dense + 0.2 text + 0.2 rrf`, each in 0..1; without a vector, the dense weight is divided between the other
    two."""
    text = 1 / each.lexical_rank if each.lexical_rank else 0.0
    ranks = [rank for rank in (each.dense_rank, each.lexical_rank) if rank]
    rrf = sum(1 / (RRF_K + rank) for rank in ranks) * (RRF_K + 1) / 2
    if each.dense is None:
        return (TEXT * text + RRF * rrf) / (TEXT + RRF)
    return DENSE * _seed_distance(each.item, each.dense, boosts) + TEXT * text + RRF * rrf


def _seed_distance(item: MemoryItem, dense: float, boosts: Boosts) -> float:
    """For bank items: similarity from the L2 distance of unit vectors with the calibrated cosine; quality reduces the
    distance."""
    if item.tier != "memory_bank":
        return dense
    distance = math.sqrt(2 * (1 - dense)) * distance_factor(item)
    return 1 / (1 + distance * (KNOWN if item.id in boosts.known else 1.0))
