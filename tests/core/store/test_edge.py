"""Tests the in-process index beyond the contract that all indexes share."""

from __future__ import annotations

import asyncio
import threading
from glob import glob
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from core.errors import NoRoomError, PalimpsestError, no_room
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.store.edge import EdgeIndex
from core.store.edge_collection import Collection
from core.store.index import Hit, Point, Schema, Where
from core.store.room import DELETION_BYTES, START_BYTES
from tests.service.house import until

SCHEMA = Schema(dimension=4, model="m")
VECTOR = np.array([1.0, 0.0, 0.0, 0.0], dtype=np.float32)
ADA = Where("ada")


def readers() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name.startswith("index-read")}


async def test_an_index_that_is_stopped_has_no_threads_and_can_be_started_again(tmp_path: Path) -> None:
    before = readers()
    index = EdgeIndex(tmp_path)
    for _ in range(2):
        await index.start(Schema(dimension=4, model="m"))
        assert await index.count(Where("ada")) == 0
        mine = readers() - before
        await index.stop()
        assert mine
        for each in mine:
            each.join(10)
        assert readers() == before


async def test_a_close_waits_for_who_reads_and_who_comes_later_is_told_that_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    query = Collection.query_dense

    def slow(*given: object) -> list[Hit]:
        begun.set()
        go_on.wait(10)
        return query(*given)  # type: ignore[arg-type]

    index = EdgeIndex(tmp_path)
    await index.start(SCHEMA)
    identifier = str(uuid4())
    await index.upsert([Point(identifier, {"user_id": "ada"}, dense=VECTOR)])
    collection = index._open_collection
    monkeypatch.setattr(Collection, "query_dense", slow)
    reading = asyncio.create_task(index.query_dense(VECTOR, ADA, 5))
    await asyncio.to_thread(begun.wait, 10)
    closing = asyncio.create_task(index.stop())

    async def is_closing() -> bool:
        return collection._closed

    await until(is_closing, "it is being closed")
    with pytest.raises(PalimpsestError) as told:
        collection.read(lambda: collection.count(ADA))
    assert told.value.problem.category == "connection"
    assert not closing.done()
    go_on.set()
    assert [hit.id for hit in await reading] == [identifier]
    await closing


async def test_without_room_nothing_is_added_deleting_goes_on_and_no_index_is_set_aside(tmp_path: Path) -> None:
    free = [2**40]

    def require_room(size: int) -> None:
        if free[0] < size:
            raise no_room("errors.no_room")

    index = EdgeIndex(tmp_path, require_room=require_room)
    await index.start(SCHEMA)
    points = [Point(str(uuid4()), {"user_id": "ada"}, dense=VECTOR) for _ in range(3)]
    await index.upsert(points[:2])
    free[0] = DELETION_BYTES
    dependency = Dependency("index", 5.0, CircuitBreaker(failures=1))
    for _ in range(2):
        with pytest.raises(NoRoomError):
            await dependency.attempt(lambda: index.upsert(points[2:]))
    with pytest.raises(NoRoomError):
        await index.set_dense({points[0].id: VECTOR})
    await index.delete([points[0].id])
    assert await dependency.attempt(lambda: index.count(ADA)) == 1, "what is read goes on"
    await index.stop()
    free[0] = START_BYTES - 1
    with pytest.raises(NoRoomError):
        await index.start(SCHEMA)
    free[0] = START_BYTES
    await index.start(SCHEMA)
    assert await index.count(ADA) == 1
    assert not glob("**/*.unreadable", root_dir=tmp_path, recursive=True)
    await index.stop()
