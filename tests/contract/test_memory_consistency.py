"""Tests that differences between record store and index are found and repaired on both pairs of stores; a second repair
finds nothing."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence

import numpy as np
import pytest

from core.ids import point_id
from core.memory.items.index_writer import point_of
from core.memory.items.reading import ITEMS
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.consistency import Consistency, ConsistencyReport
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.store.index import Index, Schema, Vector
from core.store.items import ItemSource, MemoryItem, Timestamps
from core.store.truth import Change, Delete, Truth
from tests.contract.conftest import Stores

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

SCHEMA = Schema("axes", 4)
ADA = "ada"
COUNT = 6
NOW = 100.0


def axis(number: int) -> Vector:
    vector = np.zeros(4, dtype=np.float32)
    vector[number] = 1
    return vector


class Axes:
    identity = EmbeddingIdentity("axes", 4, Calibration(0.0, 1.0))

    async def embed_query(self, text: str) -> Vector:
        return axis(len(text) % 4)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        return np.stack([await self.embed_query(text) for text in texts])


class World:
    """Six memories of one user that can be found by keyword and by embedding."""

    def __init__(self, truth: Truth, index: Index) -> None:
        self.truth, self.index, self.rows = truth, index, truth.collection(ITEMS)
        self.items = MemoryItems(truth, index, Axes(), lambda: NOW)
        self.consistency = Consistency(truth, self.items.points, lambda: NOW)

    async def check(self, *, dry_run: bool = False, vectors: bool = True) -> ConsistencyReport:
        return await self.consistency.check("axes", dry_run=dry_run, vectors=vectors)

    async def embed(self) -> None:
        waiting = await self.items.pending_vectors(None, None, 100)
        if waiting:
            await self.items.set_vectors(waiting, await Axes().embed_passages([each.embedded_text for each in waiting]))


def memory(number: int, text: str = "the boiler leaks", user_id: str = ADA) -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=user_id,
        tier="working",
        kind="fact",
        text=text,
        scope="memory",
        source=ItemSource(type="user", conversation_id=f"conv_{number:032x}"),
        timestamps=Timestamps(created_at=1.5, updated_at=1.5),
        tags=["identity"] if number % 2 else [],
    )


@pytest.fixture
async def world(stores: Stores) -> World:
    truth, index = stores
    await index.start(SCHEMA)
    made = World(truth, index)
    await made.items.ensure()
    await made.items.add(ADA, [memory(number, f"fact {number}") for number in range(1, COUNT + 1)])
    await made.embed()
    return made


async def lose_points(world: World) -> None:
    await world.index.delete([point_id(memory(number).id) for number in (1, 2)])


async def lose_everything(world: World) -> None:
    await world.index.delete([point_id(memory(number).id) for number in range(1, COUNT + 1)])


async def drift(world: World) -> None:
    await world.index.set_payload([point_id(memory(3).id)], {"status": "archived", "tier": "history"})


async def retag(world: World) -> None:
    await world.rows.update(memory(2).id, Change(set={"tags": ["goal"], "tier": "patterns"}))


async def outdate(world: World) -> None:
    await world.index.upsert([point_of(memory(4, "another text"), axis(0))])


async def lose_vector(world: World) -> None:
    await world.index.upsert([point_of(memory(5, "fact 5"))])


async def lose_mark(world: World) -> None:
    await world.rows.update(memory(6).id, Change(set={"embedded": False}))


async def orphan(world: World) -> None:
    await world.rows.bulk([Delete(memory(1).id), Delete(memory(2).id)])


async def drift_of_two_kinds(world: World) -> None:
    await drift(world)
    await lose_vector(world)


DAMAGE: dict[str, tuple[Callable[[World], Awaitable[None]], dict[str, int]]] = {
    "points lost": (lose_points, {"missing": 2}),
    "collection emptied": (lose_everything, {"missing": COUNT}),
    "payload drifted": (drift, {"payload": 1}),
    "truth changed unseen": (retag, {"payload": 1}),
    "an old text": (outdate, {"texts": 1}),
    "vector lost": (lose_vector, {"vectors": 1}),
    "mark lost": (lose_mark, {"vectors": 1}),
    "items gone": (orphan, {"orphaned": 2}),
    "two kinds": (drift_of_two_kinds, {"payload": 1, "vectors": 1}),
}


def found(report: ConsistencyReport) -> dict[str, int]:
    kinds = ("missing", "texts", "payload", "vectors", "orphaned", "quarantined")
    return {kind: count for kind in kinds if (count := getattr(report, kind))}


async def test_nothing_is_found_where_nothing_is_wrong(world: World) -> None:
    report = await world.check()
    assert found(report) == {}
    assert (report.checked, report.points, report.repaired) == (COUNT, COUNT, 0)


@pytest.mark.parametrize("damage", DAMAGE)
async def test_damage_is_counted_by_a_dry_run_mended_by_a_real_one_and_gone_after_it(damage: str, world: World) -> None:
    harm, expected = DAMAGE[damage]
    await harm(world)
    dry = await world.check(dry_run=True)
    assert (found(dry), dry.repaired) == (expected, 0)

    mended = await world.check()
    assert found(mended) == expected
    assert mended.repaired > 0
    await world.embed()
    again = await world.check()
    assert (found(again), again.repaired) == ({}, 0)
    points, _ = await world.index.scroll(None, 100, with_vectors=True)
    assert len(points) == await world.rows.count()
    assert all(point.dense is not None for point in points)


async def test_vectors_are_kept_when_only_fields_differ(world: World) -> None:
    await drift(world)
    await world.check()
    (point,) = await world.index.retrieve([point_id(memory(3).id)], with_vectors=True)
    assert point.dense is not None
    assert point.payload["tier"] == "working"


async def test_a_point_that_does_not_say_what_it_copies_is_written_again_with_its_vector(world: World) -> None:
    made = point_of(memory(3, "fact 3"), axis(2))
    await world.index.upsert([type(made)(made.id, dict(list(made.payload.items())[:-1]), made.lexical, made.dense)])
    assert found(await world.check()) == {"texts": 1}
    (point,) = await world.index.retrieve([made.id], with_vectors=True)
    assert "copy_of" in point.payload
    assert point.dense is not None
    item = await world.items.get(ADA, memory(3).id)
    assert item
    assert item.embedded


async def test_points_of_a_user_whom_the_truth_does_not_know_are_deleted_when_seen_twice(world: World) -> None:
    await world.index.upsert([point_of(memory(9, user_id="ghost"))])
    assert found(await world.check()) == {"quarantined": 1}
    assert found(await world.check(dry_run=True)) == {"orphaned": 1}
    assert await world.index.retrieve([point_id(memory(9).id)])
    assert found(await world.check()) == {"orphaned": 1}
    assert not await world.index.retrieve([point_id(memory(9).id)])


async def test_what_is_deleted_and_may_be_undone_keeps_its_point(world: World) -> None:
    await world.items.change(ADA, memory(1).id, Change(set={"status": "deleted"}))
    assert found(await world.check()) == {}
    assert await world.index.retrieve([point_id(memory(1).id)])


async def test_a_time_that_the_index_keeps_less_exactly_is_no_difference(world: World) -> None:
    chance = random.Random(1)
    made = [memory(number) for number in range(100, 200)]
    for item in made:
        item.timestamps.created_at = 1.795e9 + chance.random() * 1e6
    await world.items.add(ADA, made)
    await world.embed()
    assert (await world.check(dry_run=True)).differences == 0


async def test_each_page_waits_until_nobody_asks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.memory.maintenance.consistency.PAGE", 2)
    checked: list[int] = []

    async def idle() -> None:
        checked.append(len(checked))

    report = await Consistency(world.truth, world.items.points, lambda: NOW, idle).check("axes")
    assert report.checked == COUNT
    assert len(checked) == COUNT // 2


def moments(count: int) -> list[float]:
    """Times in every precision that clocks have (including half milliseconds), from recent to very old."""
    drawn = random.Random(18)
    whole = [drawn.uniform(0, 4e9) for _ in range(count)]
    return [round(each, 4) + 0.0005 if number % 3 else round(each, number % 7) for number, each in enumerate(whole)]


async def test_no_time_is_mended_for_ever(world: World) -> None:
    """The embedded index changes the last bit of one number in ten; such times must not be repaired at each check."""
    times = moments(400)
    later = [
        memory(100 + number, f"fact {number}").model_copy(
            update={"timestamps": Timestamps(created_at=at, updated_at=at)}
        )
        for number, at in enumerate(times)
    ]
    await world.items.add(ADA, later)
    await world.embed()
    untouched = await world.check()
    assert (untouched.differences, untouched.repaired) == (0, 0)
    await world.index.set_payload([point_id(each.id) for each in later], {"tier": "history"})
    assert (await world.check()).repaired == len(later)
    assert (await world.check(dry_run=True)).differences == 0
    moved = [point_id(each.id) for each in later[:3]]
    await world.index.set_payload(moved, {"created_at": times[3] + 1})
    assert (await world.check()).payload == len(moved), "another time is still another"
