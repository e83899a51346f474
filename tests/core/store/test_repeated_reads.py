"""Tests that repeated reads are cached until something is written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from core.store.repeated_reads import RepeatedReads
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Collection, Delete, Json


@pytest.fixture
async def rows(tmp_path: Path) -> AsyncIterator[Collection]:
    truth = SqliteTruth(tmp_path / "truth.sqlite", 5.0)
    await truth.start()
    yield truth.collection("documents")
    await truth.stop()


class Counted:
    """All rows, and how often they were read."""

    def __init__(self, rows: Collection) -> None:
        self.rows, self.times = rows, 0

    async def __call__(self) -> list[Json]:
        self.times += 1
        return await self.rows.find()


async def test_read_once_until_something_is_written(rows: Collection) -> None:
    repeated: RepeatedReads[Json] = RepeatedReads(rows)
    reading = Counted(rows)
    await rows.insert_many([{"_id": "a", "n": 1}])
    assert [await repeated.read("all", reading) for _ in range(3)] == [[{"_id": "a", "n": 1}]] * 3
    assert reading.times == 1
    for write, expected in (
        (lambda: rows.update("a", Change(set={"n": 2})), [{"_id": "a", "n": 2}]),
        (lambda: rows.upsert({"_id": "b", "n": 3}), [{"_id": "a", "n": 2}, {"_id": "b", "n": 3}]),
        (lambda: rows.bulk([Delete("b")]), [{"_id": "a", "n": 2}]),
        (lambda: rows.delete({"n": 2}), []),
    ):
        await write()
        assert await repeated.read("all", reading) == expected


async def test_what_was_found_belongs_to_whoever_asked(rows: Collection) -> None:
    repeated: RepeatedReads[Json] = RepeatedReads(rows)
    await rows.insert_many([{"_id": "a"}])
    (await repeated.read("all", rows.find)).clear()
    assert await repeated.read("all", rows.find) == [{"_id": "a"}]


async def test_what_a_read_found_that_began_before_a_write_is_not_kept(rows: Collection) -> None:
    repeated: RepeatedReads[Json] = RepeatedReads(rows)
    found, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> list[Json]:
        before = await rows.find()
        found.set()
        await go_on.wait()
        return before

    reading = asyncio.create_task(repeated.read("all", slow))
    await found.wait()
    await rows.insert_many([{"_id": "a"}])
    go_on.set()
    assert await reading == []
    assert await repeated.read("all", rows.find) == [{"_id": "a"}]


async def test_nothing_is_kept_where_others_write_too(rows: Collection) -> None:
    repeated: RepeatedReads[Json] = RepeatedReads(cast("Collection", SimpleNamespace(version=None)))
    reading = Counted(rows)
    await repeated.read("all", reading)
    await repeated.read("all", reading)
    assert reading.times == 2


async def test_the_one_longest_not_asked_for_goes_first(rows: Collection) -> None:
    repeated: RepeatedReads[Json] = RepeatedReads(rows, most=2)
    await rows.find()  # the first read creates the table, which is a write
    reading = Counted(rows)
    for key in ("a", "b", "a", "c", "a", "b"):
        await repeated.read(key, reading)
    assert reading.times == 4
