"""Tests workers that are killed, frozen and stopped during their jobs: others continue, and nothing is read twice."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from uuid import uuid4

import pytest

from command.ending import OVERDUE
from core.workbench import Workbench
from tests.faults import runner, working
from tests.faults.working import LEASE, Shared
from tests.mongodb import running_mongodb
from tests.redis_server import RedisServer, running_redis
from tests.servers.forked import forked
from tests.service.house import CONTRACT, POLICY, House, long_text, until

GOES_ON = LEASE + 2.0 + 6.0
"""Seconds: the length of the lease, plus the interval for checking jobs without a message, plus time for a busy
machine."""
FILES = 4
SEVERAL = 20


@pytest.fixture(scope="module")
def mongodb_uri(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_mongodb(tmp_path_factory.mktemp("mongodb")) as uri:
        yield uri


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with running_redis(tmp_path_factory.mktemp("redis")) as running:
        yield running


@pytest.fixture
def shared(mongodb_uri: str, redis: RedisServer, tmp_path: Path) -> Shared:
    return Shared(mongodb_uri, f"test_{uuid4().hex[:12]}", redis.url, tmp_path)


@pytest.fixture
async def server(shared: Shared, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A server that accepts files and leaves the jobs of reading them to workers."""
    runner.arrange(monkeypatch.setattr)
    workbench = Workbench(shared.settings("server", workers=0))
    await workbench.start()
    yield House(workbench, shared.folder / "uploads")
    await workbench.stop()


Begin = Callable[..., BaseProcess]


@pytest.fixture
def begin(shared: Shared) -> Iterator[Begin]:
    begun: list[BaseProcess] = []

    def start(name: str, drain: float = 20.0) -> BaseProcess:
        process = forked(working.work, shared, name, drain)
        process.start()
        begun.append(process)
        return process

    yield start
    for process in begun:
        process.kill()
        process.join()


async def has_begun(shared: Shared, count: int) -> list[tuple[str, str]]:
    async def are_read() -> bool:
        return len(shared.begun()) >= count

    await until(are_read, f"{count} readings have begun", 30)
    return shared.begun()


async def all_read(house: House, count: int) -> None:
    async def are_completed() -> bool:
        return await house.workbench.truth.collection("documents").count({"state": "completed"}) == count

    await until(are_completed, "all are read", 30)
    rows = await house.workbench.truth.collection("items").find({"tier": "books"})
    assert len(rows) == len({row["_id"] for row in rows})
    for document in await house.workbench.library.find("ada"):
        await house.settled(document)
        assert await house.outcomes(document) == ["completed"]
        assert sum(row["document_id"] == document.id for row in rows) == document.chunks > 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_what_a_killed_or_frozen_worker_had_begun_goes_on_at_another_and_nothing_is_read_twice(
    how: signal.Signals, shared: Shared, server: House, begin: Begin
) -> None:
    workers = {name: begin(name) for name in ("first", "second")}
    for number in range(FILES):
        await server.give(f"{number}.md", long_text(3 + number))
    (lost, victim), (_, other) = (await has_begun(shared, 2))[:2]
    assert {victim, other} == set(workers)
    pid = workers[victim].pid
    assert pid
    os.kill(pid, how)
    killed = time.monotonic()
    shared.gate.touch()
    await has_begun(shared, FILES + 1)
    assert time.monotonic() - killed < GOES_ON
    await all_read(server, FILES)
    if how == signal.SIGSTOP:
        os.kill(pid, signal.SIGCONT)
        workers[victim].terminate()
        await asyncio.to_thread(workers[victim].join, 30)
        assert workers[victim].exitcode == 0
        await all_read(server, FILES)
    counts = Counter(filename for filename, _ in shared.begun())
    assert counts == {**{f"{number}.md": 1 for number in range(FILES)}, lost: 2}


async def test_a_worker_that_is_told_to_end_ends_its_job_and_begins_no_other(
    shared: Shared, server: House, begin: Begin
) -> None:
    worker = begin("first")
    for number in range(2):
        await server.give(f"{number}.md", long_text(3 + number))
    await has_begun(shared, 1)
    worker.terminate()
    shared.gate.touch()
    await asyncio.to_thread(worker.join, 20)
    assert worker.exitcode == 0
    jobs = await server.workbench.truth.collection("jobs").find({"kind": "reading"}, sort=[("attempts", 1)])
    assert [(job["state"], job["attempts"], job["stops"]) for job in jobs] == [
        ("pending", 0, 0),
        ("completed", 1, 0),
    ]
    begin("second")
    await all_read(server, 2)


async def test_a_worker_that_cannot_end_its_job_in_time_hands_it_back_at_once(
    shared: Shared, server: House, begin: Begin
) -> None:
    worker = begin("first", 0.2)
    await server.give("0.md", long_text(3))
    await has_begun(shared, 1)
    begin("second")
    worker.terminate()
    await asyncio.to_thread(worker.join, 20)
    assert worker.exitcode == 0
    assert (await has_begun(shared, 2))[1] == ("0.md", "second")
    shared.gate.touch()
    await all_read(server, 1)
    (job,) = await server.workbench.truth.collection("jobs").find({"kind": "reading"})
    assert (job["attempts"], job["stops"]) == (2, 1), "a stop is no failed attempt"


async def test_a_worker_that_drains_takes_no_round_of_upkeep(
    shared: Shared, server: House, begin: Begin, redis: RedisServer
) -> None:
    worker = begin("first")
    await server.give("0.md", long_text(3))
    await has_begun(shared, 1)
    worker.terminate()

    looks: list[int] = []

    async def nobody_listens() -> bool:
        """Returns whether the worker waits for no messages in several consecutive checks; one check may fall between
        two of its polls."""
        looks.append(redis.client.info("clients")["blocked_clients"])
        return looks[-SEVERAL:] == [0] * SEVERAL

    await until(nobody_listens, "it takes no messages", 20)
    rounds = server.workbench.coordination.dispatch("promotion")
    assert rounds
    assert await rounds.tell("")
    shared.gate.touch()
    await asyncio.to_thread(worker.join, 20)
    assert worker.exitcode == 0
    assert await rounds.untold() == 1
    begin("second")

    async def is_taken() -> bool:
        return await rounds.untold() == 0

    await until(is_taken, "another does it", 20)


async def test_a_question_is_answered_from_what_is_ready_when_the_worker_that_read_the_rest_has_died(
    shared: Shared, server: House, begin: Begin
) -> None:
    first = begin("first")
    await server.give("policy.md", POLICY)
    shared.gate.touch()
    await all_read(server, 1)
    shared.gate.unlink()
    await server.give("contract.md", CONTRACT)
    await has_begun(shared, 2)
    first.kill()
    answer = await server.ask("How many days of notice must Pelagit give?")
    assert answer.view.partly
    assert "restarts within half a minute" in answer.notices
    begin("second")
    shared.gate.touch()
    await all_read(server, 2)

    async def has_followed() -> bool:
        return await server.workbench.conversations.following("ada", answer.asked.run_id) is not None

    await until(has_followed, "the answer in full", 30)


async def test_a_frozen_worker_that_is_told_to_end_ends_in_time_whatever_it_waits_for(
    shared: Shared, server: House
) -> None:
    process = forked(working.work_and_hang, shared, "first")
    process.start()

    async def is_there() -> bool:
        return await server.workbench.truth.collection("processes").count({"serves": False}) == 1

    try:
        await until(is_there, "it works", 30)
        assert process.pid
        for each in (signal.SIGSTOP, signal.SIGTERM, signal.SIGCONT):
            os.kill(process.pid, each)
        await asyncio.to_thread(process.join, 20)
        assert process.exitcode == OVERDUE
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
