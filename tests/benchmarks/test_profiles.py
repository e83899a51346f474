"""Tests the ranking profiles that the benchmark compares with the product's own ranking profile."""

from __future__ import annotations

import pytest

from benchmarks.profiles import UNTAUGHT, bounded
from core.memory.outcomes.scoring import replayed
from core.question.analysis import analyse
from core.search.pipeline import RankingQuestion
from core.search.request import ScoredHit
from core.setting_groups import Memory
from core.store.items import MEMORY, ItemSource, MemoryItem, Outcome, Stats, Timestamps

ASKED = analyse("How do I reset the pump?")


def hit(fused: float, *outcomes: Outcome, company: float = 0.0) -> ScoredHit:
    item = MemoryItem(
        id=f"mem_{1:032x}",
        user_id="ada",
        tier="history",
        kind="fact",
        text="text",
        scope=MEMORY,
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=0.0, updated_at=0.0),
        stats=replayed(Stats(), outcomes, Memory()),
    )
    return ScoredHit(item, fused=fused, company=company)


def test_bounded_moves_by_fifteen_percent_at_most() -> None:
    hits = [hit(1.0, *["failed"] * 9), hit(0.8, *["worked"] * 9), hit(0.5)]
    bounded(hits)
    assert 0.85 <= hits[0].weighed < 0.9
    assert 0.88 < hits[1].weighed <= 0.92
    assert hits[2].weighed == 0.5


async def test_relevance_knows_no_outcome() -> None:
    found = hit(0.9, *["failed"] * 9, company=0.05)
    weigh = await UNTAUGHT["relevance"](RankingQuestion("ada", ASKED, None, ""), [found.item])
    weigh([found])
    assert found.weighed * found.authority == pytest.approx(0.95)
