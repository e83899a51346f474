"""Tests a document and a question with MongoDB as the record store, including GridFS and its checkpointer."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mongodb import SERVER, running_mongodb
from tests.service import asking_agent
from tests.service.conftest import Open
from tests.service.house import POLICY

ORDERS = "Day,Branch,Amount\n2026-01-03,Haifa,120.50\n2026-02-07,Eilat,80\n2026-02-09,Haifa,9.50\n"
QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


@pytest.fixture
def mongodb_uri(tmp_path: Path) -> Iterator[str]:
    if not SERVER.exists() and not sys.platform.startswith("linux"):
        pytest.skip("the test server for MongoDB is packaged for Linux alone")
    folder = tmp_path / "mongodb"
    folder.mkdir()
    with running_mongodb(folder) as uri:
        yield uri


async def test_upload_ask_delete(mongodb_uri: str, open_house: Open) -> None:
    house = await open_house(mongodb_uri=mongodb_uri)
    document = await house.read("policy.md", POLICY)
    assert document.state == "completed"
    await house.assert_whole(document)
    assert await house.outcomes(document) == ["completed"]
    assert (await house.give("again.md", POLICY)).status == "duplicate"
    assert house.stored_files() == []
    database = house.workbench.truth.database  # type: ignore[attr-defined]
    assert await database["files.files"].count_documents({}) == 1

    answer = await house.ask(QUESTION)
    assert "560 shekels" in answer.view.html()
    second = await house.ask("And what about dinner?", conversation_id=answer.asked.conversation.id)
    assert second.view.outcome == "answered"
    threads = await database["checkpoints"].distinct("thread_id")
    assert threads == [answer.asked.conversation.id]
    assert await house.found(QUESTION, "bob") == set()

    await house.workbench.library.delete("ada", document.id)
    assert await house.found(QUESTION) == set()
    assert (await house.workbench.library.undelete("ada", document.id)).state == "completed"
    assert await house.found(QUESTION) == {"policy.md"}
    await house.workbench.library.delete("ada", document.id)
    await house.workbench.library.upkeep.compact(-1)
    await house.assert_nothing_stored(document)
    assert await database["files.files"].count_documents({}) == 0


async def test_a_question_back_waits_for_another_process(
    mongodb_uri: str, open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.graph.agent.build_agent", asking_agent.build)
    house = await open_house(mongodb_uri=mongodb_uri)
    waiting, other = await house.ask("Compare it."), await house.ask("Compare it.")
    await house.workbench.stop()
    later = await open_house(mongodb_uri=mongodb_uri)
    second = await later.reply(waiting, "continue")
    done = await later.reply(second, text="the law")
    assert done.view.response is not None
    assert done.view.response.text == "thought about the law"
    await later.workbench.cancel("ada", other.asked.run_id)
    assert await later.outcomes_of(other.asked.run_id) == ["cancelled"]


async def test_two_processes_compute_from_the_same_spreadsheet(
    mongodb_uri: str, open_house: Open, tmp_path: Path
) -> None:
    one = await open_house(mongodb_uri=mongodb_uri)
    document = await one.read("orders.csv", ORDERS)
    two = await open_house(mongodb_uri=mongodb_uri, home=tmp_path / "second")
    database = one.workbench.truth.database  # type: ignore[attr-defined]
    assert await database["files.files"].count_documents({}) == 2, "the original and the rows"
    for house in (one, two):
        response = (await house.ask("What is the total amount by branch?")).view.response
        assert response
        assert response.answer
        assert response.answer.data
        assert response.answer.data.rows == [["Eilat", 80], ["Haifa", 130]]
    await two.workbench.library.delete("ada", document.id)
    await two.workbench.library.upkeep.compact(-1)
    await two.workbench._library._figures.catch_up()
    assert await database["files.files"].count_documents({}) == 0
    assert await one.workbench.datasets.known("ada") == []
