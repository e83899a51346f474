"""Tests that a large table, which a reader sends in pieces, is complete in the end even if a process dies."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.library import reading
from core.library.chunking.chunks import Chunk
from core.library.record_tables.bounds import BEGINNING_ROWS
from core.library.records import Document
from core.library.storing import Storing
from core.workbench import Workbench
from tests.service.house import House, settings, until

TABLE = "Number,Code\n" + "".join(f"{n},K{n}\n" for n in range(52_000))
"""Number of rows: more than the part of a table that is held in memory. Only the first ones are passages."""
Living = Callable[[], Awaitable[House]]


@pytest.fixture
async def next_life(home: Path) -> AsyncIterator[Living]:
    started: list[Workbench] = []

    async def start() -> House:
        workbench = Workbench(settings(home))
        await workbench.start()
        started.append(workbench)
        return House(workbench, home / "uploads")

    yield start
    for workbench in started:
        await workbench.stop()


async def assert_found(house: House, document: Document) -> None:
    """Every passage is stored once, whatever was stored before, and every row is in the dataset."""
    assert document.state == "completed"
    rows = await house.items("ada", document.id)
    assert len(rows) == document.chunks == document.searchable
    assert {row["status"] for row in rows} == {"active"}
    assert sum(str(row["text"]).count(" | K") for row in rows) == BEGINNING_ROWS
    assert [each.rows for each in await house.workbench.datasets.known("ada")] == [52_000]
    assert await house.found("K51999") == {"table.csv"}


async def test_a_reader_that_is_killed_after_its_first_piece_is_followed_by_another(
    next_life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    readers: list[int] = []
    killed: list[int] = []
    start, begin = reading.start_module, Storing.begin

    async def noted(name: str) -> reading.Process:
        process = await start(name)
        readers.append(process.pid)
        return process

    async def fatal(storing: Storing, start_of: reading.Reading) -> None:
        if not killed:
            killed.append(readers[0])
            os.killpg(readers[0], signal.SIGKILL)
        await begin(storing, start_of)

    monkeypatch.setattr(reading, "start_module", noted)
    monkeypatch.setattr(Storing, "begin", fatal)
    house = await next_life()
    document = await house.read("table.csv", TABLE)
    assert len(readers) == 2
    await assert_found(house, document)


async def test_a_server_that_ends_between_two_pieces_reads_it_after_the_next_start(
    next_life: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored, passages = asyncio.Event(), Storing.passages

    async def stuck(storing: Storing, chunks: list[Chunk]) -> None:
        await passages(storing, chunks)
        stored.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(Storing, "passages", stuck)
    house = await next_life()
    given = await house.give("table.csv", TABLE)
    await asyncio.wait_for(stored.wait(), 60)
    assert await house.found("K1") == set()
    await house.workbench.stop()
    monkeypatch.undo()

    again = await next_life()

    async def whole() -> bool:
        return (await again.workbench.library.get("ada", given.document.id)).state == "completed"

    await until(whole, "the table", 120)
    await assert_found(again, await again.workbench.library.get("ada", given.document.id))
