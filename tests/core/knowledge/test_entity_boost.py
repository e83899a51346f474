"""Tests that searches do not wait repeatedly for a large graph while it loads."""

from __future__ import annotations

import asyncio
import time
from typing import cast

import pytest

from core.knowledge import ranking_boosts
from core.knowledge.catalogue import Catalogue
from core.knowledge.graph_sync import GraphSync
from core.knowledge.ranking_boosts import EntityBoost
from core.knowledge.synced_graph import SyncedGraph
from core.memory.items.making import item_of
from core.memory.items.records import NewMemory
from core.setting_groups import Memory


class SlowGraph:
    """A graph that loads until ``loaded`` is set or the caller is cancelled; ``begun`` counts how often loading
    started."""

    def __init__(self) -> None:
        self.begun = 0
        self.loaded = asyncio.Event()

    async def of(self, user_id: str) -> SyncedGraph:
        self.begun += 1
        await self.loaded.wait()
        return SyncedGraph(Catalogue(user_id, []))


@pytest.fixture
def graph(monkeypatch: pytest.MonkeyPatch) -> SlowGraph:
    monkeypatch.setattr(ranking_boosts, "PATIENCE", 0.05)
    return SlowGraph()


FACT = item_of("ada", "mem_1", NewMemory(tier="memory_bank", text="Pump 3 is in Haifa."), 0.0, Memory())


async def boosts(boost: EntityBoost) -> object:
    return await boost("ada", "Where is pump 3?", [FACT])


async def test_what_one_search_began_to_load_goes_on_and_others_do_not_wait(graph: SlowGraph) -> None:
    boost = EntityBoost(cast(GraphSync, graph))
    with pytest.raises(TimeoutError):
        await boosts(boost)
    for _ in range(3):
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await boosts(boost)
        assert time.monotonic() - began < 0.05
    assert graph.begun == 1
    graph.loaded.set()
    for _ in range(5):
        await asyncio.sleep(0)
    assert await boosts(boost) == {}


async def test_a_search_that_is_cancelled_leaves_nothing_behind(graph: SlowGraph) -> None:
    boost = EntityBoost(cast(GraphSync, graph))
    search = asyncio.create_task(boosts(boost))
    await asyncio.sleep(0)
    search.cancel()
    await asyncio.gather(search, return_exceptions=True)
    graph.loaded.set()
    assert await boosts(boost) == {}


async def test_what_is_still_loaded_at_the_end_is_let_go(graph: SlowGraph) -> None:
    boost = EntityBoost(cast(GraphSync, graph))
    with pytest.raises(TimeoutError):
        await boosts(boost)
    await boost.stop()
    assert len(asyncio.all_tasks()) == 1
