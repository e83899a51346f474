"""Tests that when a component is missing, slow or locked, the others continue and the failure is reported."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.runs.jobs import Job
from core.store.edge import EdgeIndex
from core.store.typed_collection import TypedCollection
from tests.faults.conftest import Open
from tests.faults.runner import SECTIONS, USER
from tests.service.house import POLICY, House, long_text, until

QUESTION = "How many cubic metres of water does reservoir 3 hold?"


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Locks the record store: another process has begun to write and does not finish."""
    connection = sqlite3.connect(home / "truth.sqlite", isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
    finally:
        connection.close()


@contextmanager
def impatient(house: House) -> Iterator[None]:
    """Gives the record store a short timeout, but only for writes that fail anyway, so that all others succeed on a
    busy machine."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(house.workbench.truth, "_seconds", 0.2)
        yield


async def unreachable(*_: object, **__: object) -> None:
    raise ConnectionError("secret-host:6333 refused")


async def test_an_index_that_was_thrown_away_comes_back(open_house: Open, home: Path) -> None:
    house = await open_house()
    document = await house.read("reservoirs.md", long_text(SECTIONS), USER)

    async def at_rest() -> bool:
        return not await house.workbench.library.embedding.unfinished()

    await until(at_rest, "the end of its jobs")
    await house.workbench.stop()
    await asyncio.to_thread(shutil.rmtree, home / "index")

    again = await open_house()

    async def whole() -> bool:
        points = await again.points(USER, document.id)
        return len(points) == document.chunks and all(points.values())

    await until(whole, "a full index")
    await again.settled(document)
    assert await again.found(QUESTION) == {"reservoirs.md"}
    await again.assert_whole(await again.workbench.library.get(USER, document.id))


async def test_an_index_that_fails_is_answered_for_by_the_truth(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    await house.read("reservoirs.md", long_text(SECTIONS), USER)
    with monkeypatch.context() as patched:
        patched.setattr(EdgeIndex, "query_lexical", unreachable)
        patched.setattr(EdgeIndex, "query_dense", unreachable)
        answer = await house.ask(QUESTION)
        assert [source.filename for source in answer.view.sources] == ["reservoirs.md"]
        assert "The index does not respond" in answer.notices
        assert "secret-host" not in " ".join(entry.model_dump_json() for entry in answer.entries)


async def test_an_upload_that_the_index_refuses_fails_in_words_and_may_be_tried_again(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    with monkeypatch.context() as patched:
        patched.setattr(EdgeIndex, "upsert", unreachable)
        document, problem = await house.problem("policy.md", POLICY)
        assert problem.category == "connection"
        assert "secret-host" not in problem.model_dump_json()
    await house.assert_nothing_stored(document)
    await house.workbench.library.retry(USER, document.id)
    back = await house.settled(document)
    assert back.state == "completed"
    await house.assert_whole(back)


async def test_a_locked_truth_is_told_and_survived(open_house: Open, home: Path) -> None:
    house = await open_house()
    await house.read("reservoirs.md", long_text(SECTIONS), USER)
    with locked(home), impatient(house):
        refused = await asyncio.gather(
            house.workbench.ask(USER, QUESTION), house.give("policy.md", POLICY), return_exceptions=True
        )
    for error in refused:
        assert isinstance(error, PalimpsestError)
        assert error.problem.category == "timeout"
        assert "locked" not in error.problem.model_dump_json()
    assert (await house.ask(QUESTION)).view.outcome == "answered"
    assert (await house.read("policy.md", POLICY)).state == "completed"


async def test_a_truth_locked_for_a_moment_costs_a_run_nothing(
    open_house: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock begins in the middle of an answer and ends after one event was refused."""
    house = await open_house()
    await house.read("reservoirs.md", long_text(SECTIONS), USER)
    ledger = house.workbench.ledger
    append, tries = ledger.append, []

    async def refused_once(*given: object) -> int:
        tries.append(given)
        if len(tries) == 2:
            with locked(home), impatient(house):
                return await append(*given)  # type: ignore[arg-type]
        return await append(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(ledger, "append", refused_once)
    answer = await house.ask(QUESTION)
    assert len(tries) > 2
    assert answer.view.outcome == "answered"
    assert [source.filename for source in answer.view.sources] == ["reservoirs.md"]
    kept = [entry.event for entry in answer.entries]
    assert all(event in kept for event in tries[1][2])  # type: ignore[attr-defined]
    sequences = [entry.sequence for entry in await ledger.entries(USER, answer.asked.run_id)]
    assert sequences == list(range(1, len(sequences) + 1))


async def test_a_worker_outlives_a_truth_that_was_away(
    open_house: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = await open_house()
    update, failed = TypedCollection.update, asyncio.Event()

    async def away(jobs: TypedCollection[Job], *given: object, **named: object) -> object:
        if not failed.is_set() and jobs.model is Job and "completed" in str(given):
            failed.set()
            raise ConnectionError("away")
        return await update(jobs, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(TypedCollection, "update", away)
    await house.give("reservoirs.md", long_text(SECTIONS), USER)
    await asyncio.wait_for(failed.wait(), 10)
    assert (await house.read("policy.md", POLICY)).state == "completed"


async def test_a_turn_that_could_not_be_written_blocks_no_conversation(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store fails once, after the question's run has begun."""
    house = await open_house()
    await house.read("reservoirs.md", long_text(SECTIONS), USER)
    conversation = (await house.ask(QUESTION, USER)).asked.conversation
    with monkeypatch.context() as patched:
        patched.setattr(house.workbench.conversations, "add_turn", unreachable)
        with pytest.raises(ConnectionError):
            await house.workbench.ask(USER, QUESTION, conversation_id=conversation.id)
    assert (await house.ask(QUESTION, USER, conversation.id)).view.outcome == "answered"
