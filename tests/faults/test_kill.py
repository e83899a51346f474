"""Tests that after a kill at any moment the next workbench has no partial document, orphaned point or lost job."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.events import AssistantDelta, RunCompleted
from core.library.records import Document
from core.runs.records import AcceptedQuestion
from core.store.index import Where
from tests.faults import runner
from tests.faults.conftest import Kill, Open
from tests.faults.runner import MOMENTS, QUESTION_MOMENTS, USER
from tests.servers.local import LocalServer, answering, chat_stream
from tests.service import asking_agent
from tests.service.house import Answer, House, until

QUESTION = "How many cubic metres of water does reservoir 3 hold?"


@pytest.mark.parametrize("moment", [name for name, moment in MOMENTS.items() if not moment.deleting])
async def test_killed_in_an_ingestion(moment: str, home: Path, kill: Kill, open_house: Open) -> None:
    await kill(runner.ingest, home, moment)
    house = await open_house()
    await assert_quiet(house)
    (document,) = await house.workbench.library.find(USER)
    if moment == "the entry is written":
        assert document.state == "failed"
        assert document.problem
        assert "original file" in document.problem.what.en
        await house.assert_nothing_stored(document)
        assert await house.found(QUESTION) == set()
    else:
        assert document.state == "completed", document.problem
        assert document.embedded == document.chunks >= runner.SECTIONS
        await house.assert_whole(document)
        assert await house.found(QUESTION) == {"reservoirs.md"}
        assert len(house.stored_files()) == 1
    await assert_no_ghosts(house, [document] if document.state == "completed" else [])
    await assert_runs_ended_once(house)


@pytest.mark.parametrize("moment", [name for name, moment in MOMENTS.items() if moment.deleting])
async def test_killed_in_a_deletion(moment: str, home: Path, kill: Kill, open_house: Open) -> None:
    await kill(runner.ingest, home, moment)
    house = await open_house()
    assert await house.found(QUESTION) == set()
    assert await house.workbench.library.find(USER) == []
    await assert_quiet(house)
    assert await house.found(QUESTION) == set()
    await house.workbench.library.upkeep.compact(-1)
    await assert_no_ghosts(house, [])
    assert await house.workbench.truth.collection("items").count() == 0
    assert house.stored_files() == []
    await assert_runs_ended_once(house)


async def test_killed_in_an_answer(home: Path, kill: Kill, open_house: Open) -> None:
    half = answering(chat_stream("Reservoir 3 ", "holds ", ending="hang"))
    async with LocalServer(responder=half) as server:
        await kill(runner.answer, home, f"{server.url}/v1")
    house = await open_house()
    (hit,) = await house.workbench.conversations.search(USER, "")
    conversation = hit.conversation
    asked, answer = await house.workbench.conversations.messages(USER, conversation.id)
    assert asked.text == "What does reservoir 3 hold?"
    run = await house.workbench.ledger.get(USER, answer.run_id or "")
    assert (run.state, run.outcome) == ("ended", "interrupted")
    entries = await house.entries(USER, run.id)
    assert any(isinstance(entry.event, AssistantDelta) for entry in entries)
    assert await house.outcomes_of(run.id) == ["interrupted"]

    again = await house.ask("And reservoir 4?", conversation_id=conversation.id)
    assert again.view.outcome == "answered"
    assert again.view.problem is None


@pytest.mark.parametrize("moment", QUESTION_MOMENTS)
async def test_killed_around_a_question_to_the_person(
    moment: str, home: Path, kill: Kill, open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.graph.agent.build_agent", asking_agent.build)
    await kill(runner.asking, home, moment)
    house = await open_house()
    (hit,) = await house.workbench.conversations.search(USER, "")
    conversation = hit.conversation
    _, message = await house.workbench.conversations.messages(USER, conversation.id)
    run = await house.workbench.ledger.get(USER, message.run_id or "")
    assert (run.state, run.outcome) == ("waiting", None)
    waiting = Answer(
        AcceptedQuestion(conversation, run.id, message.id, "Compare it.", "en"), await house.entries(USER, run.id)
    )
    if "second" not in moment:
        waiting = await house.reply(waiting, "continue", user=USER)
    assert waiting.pending.kind == "text_input"
    done = await house.reply(waiting, text="the law", user=USER)
    assert done.view.outcome == "answered"
    assert done.view.response is not None
    assert done.view.response.text == "thought about the law"
    assert [entry.sequence for entry in done.entries] == list(range(1, len(done.entries) + 1))
    assert await house.outcomes_of(run.id) == ["answered"]


async def assert_quiet(house: House) -> None:
    """Waits until no work is left: no job, no document in progress, no vector missing."""

    async def quiet() -> bool:
        documents = await house.workbench.library.find(USER)
        jobs = await house.workbench._library.reading.unfinished()
        runs = await house.workbench.truth.collection("runs").count({"state": "running"})
        done = all(each.state == "failed" or each.embedded == each.chunks for each in documents)
        return done and not jobs and not runs and not await house.workbench.library.busy(USER)

    await until(quiet, "an end of all work")


async def assert_no_ghosts(house: House, documents: list[Document]) -> None:
    """Checks that the index holds exactly the points of the items in the record store."""
    shown = [item.id for each in documents for item in await house.workbench.library.chunks(USER, each.id)]
    points, _ = await house.workbench.retrieval.index.scroll(Where(USER), 1000)
    assert sorted(f"mem_{point.id.replace('-', '')}" for point in points) == sorted(shown)


async def assert_runs_ended_once(house: House) -> None:
    for row in await house.workbench.truth.collection("runs").find():
        entries = await house.workbench.ledger.entries(USER, str(row["_id"]))
        ends = [entry for entry in entries if isinstance(entry.event, RunCompleted)]
        assert len(ends) == 1
        assert entries[-1] == ends[0]
        assert row["state"] == "ended"
