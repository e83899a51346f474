"""The index inside this process, as far as the contract of all indexes does not say it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from uuid import uuid4

import numpy as np
import pytest

from core.errors import PalimpsestError
from core.store.edge import EdgeIndex
from core.store.edge_collection import Collection
from core.store.index import Hit, Point, Schema, Where
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
