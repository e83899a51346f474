"""Tests a kill at any step of a write or a reindex: the next process finds every memory by keyword and by embedding."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest

from core.ids import record_id
from core.memory.items.reading import ITEMS
from core.search.sparse_vectors import query_vector
from core.store.index import Where
from core.store.items import MemoryItem
from tests.faults import reindexing
from tests.faults.conftest import Kill
from tests.faults.reindexing import COUNT, REBUILDING, WRITING, Life, memory
from tests.faults.runner import USER

Live = Callable[[], Awaitable[Life]]


@pytest.fixture
async def next_life(home: Path) -> AsyncIterator[Live]:
    lives: list[Life] = []

    async def begin() -> Life:
        lives.append(Life(home))
        await lives[-1].start()
        return lives[-1]

    yield begin
    for life in lives:
        await life.stop()


async def assert_whole(life: Life) -> None:
    """Every item has one point with its current text and fields, and that text's vector."""
    await life.items.repair()
    await life.embedder.drain()
    report = await life.consistency.check("letters", dry_run=True)
    assert report.differences == report.quarantined == 0, report
    items = [MemoryItem.model_validate(row) for row in await life.truth.collection(ITEMS).find()]
    points, _ = await life.index.scroll(None, 1000, with_vectors=True)
    assert {record_id("mem", point.id) for point in points} == {item.id for item in items}
    texts = {item.id: item.text for item in items}
    for point in points:
        assert point.dense is not None
        wanted = await life.model.embed_query(texts[record_id("mem", point.id)])
        assert np.allclose(point.dense, wanted, atol=1e-6)
    for word in ("zebra", "walrus"):
        hits = await life.index.query_lexical(query_vector([word]), Where(USER), 100)
        assert {record_id("mem", hit.id) for hit in hits} == {item.id for item in items if word in item.text}


@pytest.mark.parametrize("moment", WRITING)
async def test_killed_in_a_write(moment: str, home: Path, kill: Kill, next_life: Live) -> None:
    await kill(reindexing.write, home, moment)
    life = await next_life()
    await assert_whole(life)
    added = await life.items.get(USER, memory(50, "").id)
    assert (added is None) == (moment == "add: truth to be written")
    if moment.startswith("delete"):
        assert await life.items.get(USER, memory(3, "").id) is None
    if moment.startswith(("change", "delete")):
        changed = await life.items.get(USER, memory(2, "").id)
        assert changed
        assert changed.tier == "patterns"


@pytest.mark.parametrize("moment", REBUILDING)
async def test_killed_in_a_reindex(moment: str, home: Path, kill: Kill, next_life: Live) -> None:
    await kill(reindexing.rebuild, home, moment)
    life = await next_life()
    await assert_whole(life)
    state = await life.reindex.status()
    assert state
    if state.state != "completed":
        # Texts that are written before the rebuild continues are not lost either.
        item = await life.items.get(USER, memory(1, "").id)
        assert item
        await life.items.revise(item.model_copy(update={"text": "walrus"}))
        await life.embedder.drain()
        state = await life.reindex.run()
    assert (state.state, state.copied) == ("completed", COUNT)
    assert await life.index.serving() == state.collection != state.previous
    await assert_whole(life)
    assert await life.reindex.discard_old(now=True)
    await assert_whole(life)
