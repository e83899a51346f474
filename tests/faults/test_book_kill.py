"""Tests a kill while findings are extracted from a book: the next workbench has each finding once and repeats few model
calls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.store.index import Where
from tests.faults import reading_out
from tests.faults.conftest import Kill, Open
from tests.faults.reading_out import MOMENTS, model
from tests.faults.runner import USER
from tests.faults.test_kill import assert_runs_ended_once
from tests.servers.book_model import asks_for_book, honest
from tests.servers.local import LocalServer, Reply, Request, chat_stream
from tests.service.house import House, until

Counted = list[Request]


def reading(counted: Counted):
    def respond(request: Request) -> Reply:
        if not asks_for_book(request):
            return chat_stream("Fine.")
        counted.append(request)
        return chat_stream(json.dumps(honest(request)))

    return respond


async def settled(house: House) -> None:
    async def quiet() -> bool:
        documents = await house.workbench.library.find(USER)
        over = all(each.extraction is None or each.extraction.state == "done" for each in documents)
        jobs = await house.workbench.truth.collection("jobs").find({"state": {"$in": ["pending", "processing"]}})
        runs = await house.workbench.truth.collection("runs").count({"state": "running"})
        return over and not jobs and not runs

    await until(quiet, "an end of all work")
    await house.workbench.memory.settle()


@pytest.mark.parametrize("moment", [name for name, moment in MOMENTS.items() if not moment.deleting])
async def test_killed_while_a_book_is_read_out(moment: str, home: Path, kill: Kill, open_house: Open) -> None:
    counted: Counted = []
    async with LocalServer(responder=reading(counted)) as server:
        await kill(reading_out.read_out, home, moment, f"{server.url}/v1")
        house = await open_house(**model(f"{server.url}/v1"))
        await settled(house)
        (document,) = await house.workbench.library.find(USER)
        if moment == "the run has begun":
            assert document.extraction is None, "nothing was promised yet"
            await house.workbench.books.begin(USER, document.id)
            await settled(house)
            (document,) = await house.workbench.library.find(USER)
        rows = await house.items(USER, document.id)
        points, _ = await house.workbench.retrieval.index.scroll(Where(USER), 10_000)
    assert document.extraction
    assert document.extraction.parts > 2
    assert document.extraction.done == document.extraction.parts
    found = [row for row in rows if row["kind"] != "passage"]
    assert len(found) == sum(document.extraction.found.values()) > 10
    assert len({(row["kind"], row["text"]) for row in found}) == len(found)
    assert {row["status"] for row in rows} == {"active"}
    assert all(row["indexed"] and row["embedded"] for row in rows)
    assert {f"mem_{point.id.replace('-', '')}" for point in points} == {row["_id"] for row in rows}
    assert len(counted) <= document.extraction.parts + 1, "what was heard is not asked for again"
    await assert_runs_ended_once(house)


@pytest.mark.parametrize("moment", [name for name, moment in MOMENTS.items() if moment.deleting])
async def test_killed_while_a_book_that_was_read_out_is_deleted(
    moment: str, home: Path, kill: Kill, open_house: Open
) -> None:
    async with LocalServer(responder=reading([])) as server:
        await kill(reading_out.read_out, home, moment, f"{server.url}/v1")
        house = await open_house(**model(f"{server.url}/v1"))
        await settled(house)
        memory = house.workbench.memory
        assert (await memory.retrieve_from_books(USER, "the keeper must measure", kinds=["quote"])).hits == []
        await house.workbench.library.upkeep.compact(-1)
        assert await house.workbench.truth.collection("items").count() == 0
        points, _ = await house.workbench.retrieval.index.scroll(Where(USER), 10)
    assert points == []
