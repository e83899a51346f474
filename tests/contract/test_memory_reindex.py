"""Tests that a reindex loses no concurrent writes, resumes after a pause and can be undone, on both stores."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from core.errors import PalimpsestError
from core.ids import point_id
from core.memory.items.index_writer import COPY_OF, fingerprint
from core.memory.items.reading import ITEMS
from core.memory.items.writing import MemoryItems
from core.memory.maintenance.consistency import Consistency
from core.memory.maintenance.reindex import Reindex, ReindexState
from core.models.embeddings import Calibration, EmbeddingIdentity, Matrix
from core.resilience.dependencies import Dependency
from core.setting_groups import Memory
from core.store.holding import Holder
from core.store.index import Schema, SchemaMismatchError, Vector, Where
from core.store.index_rules import unreachable
from core.store.items import Book, ItemSource, MemoryItem, Timestamps
from core.store.truth import Change
from tests.contract.conftest import Stores

pytestmark = [
    pytest.mark.filterwarnings("ignore:Payload indexes have no effect"),
    pytest.mark.filterwarnings("ignore:Local mode performs exact"),
]

ADA = "ada"
COUNT = 20
BATCH = 4
DAY = 86_400.0


class Model:
    """Gives each text a vector on the axis of its length."""

    def __init__(self, name: str = "first", dimension: int = 4) -> None:
        self.identity = EmbeddingIdentity(name, dimension, Calibration(0.0, 1.0))
        self.embedded = 0
        self.problem: Exception | None = None

    async def embed_query(self, text: str) -> Vector:
        vector = np.zeros(self.identity.dimension, dtype=np.float32)
        vector[len(text) % self.identity.dimension] = 1
        return vector

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if self.problem:
            raise self.problem
        self.embedded += len(texts)
        return np.stack([await self.embed_query(text) for text in texts])


class World:
    """The stores with one embedding model; each model has its own World over the same stores."""

    def __init__(self, stores: Stores, model: Model) -> None:
        self.truth, self.index = stores
        self.rows = self.truth.collection(ITEMS)
        self.model = model
        self.schema = Schema(model.identity.model, model.identity.dimension)
        self.now = 100.0
        self.matches = True
        self.made = 0
        self.items = MemoryItems(self.truth, self.index, model, lambda: self.now)
        self.consistency = Consistency(self.truth, self.items.points, lambda: self.now)
        self.reindex = self.another_process()

    def another_process(self, holder: Holder | None = None) -> Reindex:
        return Reindex(
            self.truth,
            self.items.points,
            self.consistency,
            self.model,
            Dependency("vectors", 5.0),
            self.schema,
            lambda: self.matches,
            self.renew,
            lambda: self.now,
            self.identify,
            Memory(reindex_batch=BATCH),
            holder,
        )

    def identify(self, kind: str) -> str:
        self.made += 1
        return f"{kind}_{self.made:032x}"

    async def renew(self) -> None:
        try:
            await self.index.start(self.schema)
            self.matches = True
        except SchemaMismatchError:
            self.matches = False

    async def embed(self) -> None:
        while waiting := await self.items.pending_vectors(None, None, 100):
            texts = [item.embedded_text for item in waiting]
            await self.items.set_vectors(waiting, await self.model.embed_passages(texts))

    async def assert_whole(self) -> None:
        """Checks that the index holds every item's current text and fields, and a vector by the model that the record
        store names."""
        await self.items.repair()
        report = await self.consistency.check(self.schema.model, dry_run=True)
        assert report.differences == 0, report
        points, _ = await self.index.scroll(None, 1000, with_vectors=True)
        items = [MemoryItem.model_validate(row) for row in await self.rows.find()]
        assert {point.id for point in points} == {point_id(item.id) for item in items}
        by_id = {point.id: point for point in points}
        for item in items:
            point = by_id[point_id(item.id)]
            assert point.payload[COPY_OF] == fingerprint(item)
            if point.dense is not None:
                assert np.array_equal(point.dense, await self.model.embed_query(item.embedded_text)), item.text


def memory(number: int, text: str) -> MemoryItem:
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=ADA,
        tier="working",
        kind="fact",
        text=text,
        scope="memory",
        source=ItemSource(type="user"),
        timestamps=Timestamps(created_at=1.0, updated_at=1.0),
    )


@pytest.fixture
async def world(stores: Stores) -> World:
    made = World(stores, Model())
    await made.index.start(made.schema)
    await made.items.ensure()
    await made.items.add(ADA, [memory(number, "x" * number) for number in range(1, COUNT + 1)])
    await made.embed()
    made.model.embedded = 0
    return made


async def test_vectors_are_reused_and_the_old_collection_is_kept_for_its_time(world: World) -> None:
    before = await world.index.serving()
    seen: list[ReindexState] = []
    state = await world.reindex.run(seen.append)
    assert (state.state, state.copied, state.reused, state.embedded) == ("completed", COUNT, COUNT, 0)
    assert [each.copied for each in seen] == [4, 8, 12, 16, 20, 20]
    assert world.model.embedded == 0
    assert await world.index.serving() == state.collection != before == state.previous
    await world.assert_whole()

    assert not await world.reindex.discard_old()
    world.now += 7 * DAY
    assert await world.reindex.discard_old()
    assert not await world.reindex.discard_old()
    with pytest.raises(PalimpsestError):
        await world.reindex.roll_back()


async def test_nothing_that_is_written_edited_or_deleted_meanwhile_is_lost(world: World) -> None:
    chance = random.Random(7)
    done, wrote = asyncio.Event(), asyncio.Semaphore(0)
    copy, catch_up = world.reindex._copy, world.reindex._catch_up

    async def change() -> None:
        item = await world.items.get(ADA, memory(chance.randint(1, COUNT), "").id)
        what = chance.choice(["add", "edit", "move", "delete", "embed"])
        if what == "add" or item is None:
            await world.items.add(ADA, [memory(chance.getrandbits(128), "y" * chance.randint(1, 9))])
        elif what == "edit":
            await world.items.revise(item.model_copy(update={"text": "z" * chance.randint(1, 9)}))
        elif what == "move":
            await world.items.change(ADA, item.id, Change(set={"tier": chance.choice(["history", "patterns"])}))
        elif what == "delete":
            await world.items.change(ADA, item.id, Change(set={"status": "deleted", "timestamps.expires_at": 1.0}))
            await world.items.repair()
        else:
            await world.embed()

    async def write() -> None:
        while not done.is_set():
            await change()
            wrote.release()
            await asyncio.sleep(0)

    async def after_writes(step: Callable[..., Awaitable[Any]], *given: object) -> Any:
        for _ in range(6):
            await wrote.acquire()
        return await step(*given)

    world.reindex._copy = partial(after_writes, copy)  # type: ignore[method-assign]
    world.reindex._catch_up = partial(after_writes, catch_up)  # type: ignore[method-assign]
    writer = asyncio.create_task(write())
    state = await world.reindex.run()
    done.set()
    await writer
    assert state.state == "completed"
    await world.embed()
    await world.assert_whole()


async def test_a_pause_is_gone_on_with_by_another_process_and_finds_what_was_written_between(world: World) -> None:
    copy = world.reindex._copy

    async def copy_and_pause(*given: object) -> ReindexState:
        state = await copy(*given)  # type: ignore[arg-type]
        if state.copied == 2 * BATCH:
            await world.reindex.pause()
            return (await world.reindex.status()) or state
        return state

    world.reindex._copy = copy_and_pause  # type: ignore[method-assign, assignment]
    state = await world.reindex.run()
    assert (state.state, state.copied) == ("paused", 2 * BATCH)
    assert len(await world.items.load(ADA, [memory(1, "").id])) == 1

    first, second = [await world.items.get(ADA, memory(number, "").id) for number in (1, 2)]
    assert first
    assert second
    await world.items.revise(first.model_copy(update={"text": "changed while nobody looked"}))
    await world.items.change(ADA, second.id, Change(set={"tier": "patterns"}))
    await world.items.add(ADA, [memory(0, "before the cursor")])
    third = memory(3, "").id
    await world.items.change(ADA, third, Change(set={"status": "deleted", "timestamps.expires_at": 1.0}))
    await world.items.repair()

    state = await world.another_process().run()
    assert (state.state, state.copied) == ("completed", COUNT)
    await world.assert_whole()
    await world.embed()
    await world.assert_whole()


async def test_one_process_builds_at_a_time_and_another_goes_on_where_it_died(world: World) -> None:
    one, other = (world.another_process(Holder(name, 20.0, lambda: world.now)) for name in ("one", "other"))

    def cut(_: ReindexState) -> None:
        raise ConnectionError("power")

    assert not await other.is_left()
    with pytest.raises(ConnectionError):
        await one.run(cut)
    assert await other.is_left(), "who ends in order lets go of it"
    async with one._hold():
        assert not await other.is_left()
        with pytest.raises(PalimpsestError) as caught:
            await other.run()
        assert "already being rebuilt" in caught.value.problem.what.en
        world.now += 21
        assert await other.is_left()
        state = await other.run()
    assert (state.state, state.copied) == ("completed", COUNT)
    assert not await other.is_left()
    await world.assert_whole()


async def test_an_interrupted_change_over_is_finished(world: World) -> None:
    finish = world.reindex._complete

    async def crash(state: ReindexState) -> ReindexState:
        raise RuntimeError("the process ends here")

    world.reindex._complete = crash  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        await world.reindex.run()
    world.reindex._complete = finish  # type: ignore[method-assign]
    state = await world.another_process().run()
    assert state.state == "completed"
    assert state.previous
    await world.assert_whole()


async def test_going_back_brings_the_old_collection_up_to_date_and_may_be_taken_back(world: World) -> None:
    before = await world.index.serving()
    state = await world.reindex.run()
    item = await world.items.get(ADA, memory(1, "").id)
    assert item
    await world.items.revise(item.model_copy(update={"text": "newer"}))
    await world.items.add(ADA, [memory(99, "later")])

    back = await world.reindex.roll_back()
    assert (back.state, back.collection, back.previous) == ("rolled_back", before, state.collection)
    assert await world.index.serving() == before
    await world.assert_whole()
    await world.embed()
    await world.assert_whole()
    assert (await world.reindex.roll_back()).collection == state.collection
    await world.assert_whole()


async def test_another_model_embeds_everything_anew_and_is_searched_by_meaning(stores: Stores, world: World) -> None:
    other = World(stores, Model("second", 3))
    await other.renew()
    assert not other.matches
    query = await other.model.embed_query("xx")
    with pytest.raises(SchemaMismatchError):
        await other.index.query_dense(query, Where(ADA), 5)

    other.model.problem = unreachable("away")
    state = await other.reindex.run()
    assert state.state == "paused"
    assert state.problem
    other.model.problem = None
    state = await other.reindex.run()
    assert (state.state, state.reused, state.embedded, state.problem) == ("completed", 0, COUNT, None)
    assert len(await other.index.query_dense(query, Where(ADA), 50)) == COUNT
    assert await other.rows.count({"embedding.model": "second", "embedded": True}) == COUNT
    await other.assert_whole()


async def test_a_reindex_for_a_model_that_was_given_up_begins_anew(stores: Stores, world: World) -> None:
    other = World(stores, Model("second", 3))
    await other.renew()
    other.model.problem = unreachable("away")
    assert (await other.reindex.run()).state == "paused"
    await world.renew()
    assert world.matches
    state = await world.reindex.run()
    assert (state.state, state.model, state.reused) == ("completed", "first", COUNT)
    await world.assert_whole()


async def test_a_second_reindex_drops_the_collection_kept_before(world: World) -> None:
    first = await world.reindex.run()
    second = await world.reindex.run()
    assert second.previous == first.collection
    with pytest.raises(PalimpsestError):
        await world.index.swap(str(first.previous))


async def test_what_wants_no_vector_gets_none_from_another_model_either(world: World, stores: Stores) -> None:
    book = Book(book_id="doc", title="Report", filename="report.pdf", chunk_index=0, role="contents")
    bare = memory(90, "Item 1. Business").model_copy(update={"source": ItemSource(type="document", book=book)})
    await world.items.add(ADA, [bare])
    other = World(stores, Model("others"))
    await other.renew()
    assert not other.matches
    state = await other.reindex.run()
    assert (state.state, state.embedded) == ("completed", COUNT)
    points, _ = await other.index.scroll(None, 1000, with_vectors=True)
    assert [point.id for point in points if point.dense is None] == [point_id(bare.id)]
    await other.assert_whole()
