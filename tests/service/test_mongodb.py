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
