"""Ranking profiles that are compared with the product's: each weights a candidate without some of what the memory has
learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.memory.outcomes.scoring import PARTIAL, shrunk_mean
from core.memory.ranking.boosts import BOUND, authority, quality
from core.search.pipeline import RELEVANCE, Profile, Weigh, constant_profile
from core.search.request import ScoredHit
from core.store.items import SCORED


def by_meaning(candidates: Sequence[ScoredHit]) -> None:
    """Ranks by vector search only."""
    for each in candidates:
        each.weighed = each.cosine or 0.0


def by_fusion(candidates: Sequence[ScoredHit]) -> None:
    """Ranks by keyword and vector search, without the neighbours of a candidate."""
    for each in candidates:
        each.weighed = each.fused


def by_bare_quality(candidates: Sequence[ScoredHit]) -> None:
    """Weights quality by `1 + q` as in docs/specification.md, "Ranking", independent of the other tiers."""
    for each in candidates:
        each.weighed = each.fused + each.company
        each.authority = 1 + quality(each.item)


def bounded(candidates: Sequence[ScoredHit]) -> None:
    """Ranks by relevance, changed by at most 15 % according to how often a memory worked, for any question."""
    for each in candidates:
        each.weighed = (each.fused + each.company) * (1 + BOUND * (2 * success(each) - 1))
        each.authority = authority(each.item)


def success(found: ScoredHit) -> float:
    """Returns how often a memory worked, shrunk towards one half; exactly one half for books and the memory bank."""
    stats = found.item.stats
    if found.item.tier not in SCORED:
        return 0.5
    return shrunk_mean(stats.worked_count + PARTIAL * stats.partial_count, stats.uses)


def without_company(profile: Profile) -> Profile:
    """Returns the same profile for candidates without their neighbours."""

    async def wrapped(*asked: Any) -> Weigh:
        inner = await profile(*asked)

        def weigh(candidates: Sequence[ScoredHit]) -> None:
            for each in candidates:
                each.company = 0.0
            inner(candidates)

        return weigh

    return wrapped


UNTAUGHT: dict[str, Profile] = {
    "relevance": RELEVANCE,
    "bounded": constant_profile(bounded),
    "meaning": constant_profile(by_meaning),
    "hybrid": constant_profile(by_fusion),
    "quality bare": constant_profile(by_bare_quality),
}
"""Profiles by the names that the benchmarks print."""
