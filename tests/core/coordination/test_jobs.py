"""Tests job queues of several processes over one record store and one Redis: a message makes a process start a job."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from core.coordination.announcements import Announcements
from core.coordination.dispatch import Dispatch
from core.ids import new_id
from core.runs.jobs import Job, JobQueue, JobState
from core.setting_groups import Jobs
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change
from tests.core.coordination.conftest import Connect
from tests.redis_server import RedisServer
from tests.service.house import until

AT_ONCE = 5.0
SELDOM = 600.0
MESSAGES = "jobs:v1:house:reading"


class Recorder:
    """Records the jobs that it runs; each job waits until ``hold`` is set."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.at_once = self.most_at_once = 0
        self.began, self.rolled_back, self.hold = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def run(self, job: Job) -> JobState:
        self.ran.append(job.subject_id)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.began.set()
        try:
            await self.hold.wait()
        finally:
            self.at_once -= 1
        return "completed"

    async def roll_back(self, job: Job) -> None:
        self.rolled_back.set()


def quick() -> Recorder:
    worker = Recorder()
    worker.hold.set()
    return worker


Open = Callable[..., JobQueue]


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[SqliteTruth]:
    truth = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await truth.start()
    yield truth
    await truth.stop()


@pytest.fixture
async def process(connect: Connect, truth: SqliteTruth, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Open]:
    """Returns the queue of a process with this name. It polls for jobs only if ``looking`` gives an interval in
    seconds."""
    monkeypatch.setattr("core.runs.jobs.IDLE_SECONDS", SELDOM)
    queues: list[JobQueue] = []
    others: list[Announcements | Dispatch] = []

    def open_queue(name: str, workers: int = 1) -> JobQueue:
        connection = connect()
        told, dispatch = Announcements(connection, name), Dispatch(connection, "house", "reading")
        others.extend((told, dispatch))
        settings = Jobs(lease=SELDOM, workers=workers)
        queues.append(JobQueue("reading", truth, time.time, new_id, name, settings, told, dispatch))
        return queues[-1]

    yield open_queue
    for queue in queues:
        await queue.stop()
    for each in others:
        await (each.close() if isinstance(each, Dispatch) else each.stop())


def looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.runs.jobs.IDLE_SECONDS", 0.1)


async def ended(truth: SqliteTruth, count: int) -> None:
    async def are_done() -> bool:
        return await truth.collection("jobs").count({"state": "completed"}) == count

    await until(are_done, f"{count} jobs are done", 20)


async def test_each_job_is_begun_at_once_by_one_of_all_and_none_takes_more_than_it_has_workers(
    process: Open, truth: SqliteTruth
) -> None:
    one, other, third = process("one"), process("other", 2), process("third")
    first, second = quick(), Recorder()
    await other.start(first, alone=False)
    await third.start(second, alone=False)
    for number in range(20):
        await one.submit("ada", f"doc {number}", "run")
    async with asyncio.timeout(AT_ONCE):
        await second.began.wait()
    await ended(truth, 19)
    assert len(second.ran) == 1, "it is busy, and takes no message that another could have"
    second.hold.set()
    await ended(truth, 20)
    assert sorted([*first.ran, *second.ran]) == sorted(f"doc {number}" for number in range(20))
    assert first.most_at_once <= 2


async def test_people_take_turns_and_what_was_asked_for_goes_first_whatever_came_first(
    process: Open, truth: SqliteTruth
) -> None:
    one, other = process("one"), process("other")
    for number in range(4):
        await one.submit("ada", f"hers {number}", "run", size=1_000)
    await one.submit("bob", "his", "run", size=30_000_000)
    await one.submit("ada", "asked for", "run", size=40_000_000)
    await one.prefer("ada", ["asked for"])
    worker = quick()
    await other.start(worker, alone=False)
    await ended(truth, 6)
    assert worker.ran == ["asked for", "his", "hers 0", "hers 1", "hers 2", "hers 3"]


async def test_what_was_in_redis_when_it_was_emptied_is_told_again(
    process: Open, truth: SqliteTruth, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = process("one"), process("other")
    worker = Recorder()
    await other.start(worker, alone=False)
    for number in range(5):
        await one.submit("ada", f"doc {number}", "run")
    async with asyncio.timeout(AT_ONCE):
        await worker.began.wait()
    assert redis.client.llen(MESSAGES) == 4
    redis.client.flushall()
    worker.hold.set()
    looking(monkeypatch)
    again = process("again")
    await again.start(worker, alone=False)
    await ended(truth, 5)
    assert sorted(worker.ran) == [f"doc {number}" for number in range(5)]


async def test_without_redis_workers_look_for_themselves_and_are_told_again_when_it_is_back(
    process: Open, truth: SqliteTruth, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking(monkeypatch)
    one, worker = process("one"), quick()
    await one.start(worker, alone=False)
    redis.kill()
    await one.submit("ada", "in its absence", "run")
    await ended(truth, 1)
    redis.start()

    async def are_led() -> bool:
        return not one._unled.is_set()

    await until(are_led, "it is taken up again", 20)
    monkeypatch.setattr("core.runs.jobs.IDLE_SECONDS", SELDOM)
    await one.submit("ada", "after it", "run")
    await ended(truth, 2)
    assert worker.ran == ["in its absence", "after it"]


async def test_what_a_dead_process_had_begun_is_told_of_when_its_lease_is_over(
    process: Open, truth: SqliteTruth, redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looking(monkeypatch)
    one, worker = process("one"), quick()
    job = await one.submit("ada", "doc", "run")
    redis.client.delete(MESSAGES)
    dead = Change(set={"lease_owner": "dead", "lease_until": time.time() + 1.0, "state": "processing"})
    await truth.collection("jobs").update(job.id, dead)
    began = time.monotonic()
    await process("other").start(worker, alone=False)
    await ended(truth, 1)
    assert time.monotonic() - began > 0.9


async def test_a_job_is_ended_from_another_process(process: Open) -> None:
    one, other, worker = process("one"), process("other"), Recorder()
    for queue in (one, other):
        await queue._announcements.start()
        async with asyncio.timeout(10):
            await queue._announcements.hearing.wait()
    await other.start(worker, alone=False)
    job = await one.submit("ada", "doc", "run")
    async with asyncio.timeout(AT_ONCE):
        await worker.began.wait()
        await one.cancel(job.id)
        await worker.rolled_back.wait()


async def test_a_job_that_one_process_lets_go_of_is_taken_up_by_another_at_once(process: Open) -> None:
    one, other = process("one"), process("other")
    first, second = Recorder(), Recorder()
    await one.start(first, alone=False)
    await one.submit("ada", "doc", "run")
    async with asyncio.timeout(AT_ONCE):
        await first.began.wait()
    await other.start(second, alone=False)
    await one.stop()
    async with asyncio.timeout(AT_ONCE):
        await second.began.wait()


async def test_a_process_that_drains_ends_what_it_has_and_begins_nothing_more(
    process: Open, truth: SqliteTruth, redis: RedisServer
) -> None:
    one, worker = process("one"), Recorder()
    await one.start(worker, alone=False)
    await one.submit("ada", "begun", "run")
    await one.submit("ada", "waits", "run")
    async with asyncio.timeout(AT_ONCE):
        await worker.began.wait()
    await one.drain(0.0)
    worker.hold.set()
    await one.drain(AT_ONCE)
    await ended(truth, 1)
    await one.stop()
    assert worker.ran == ["begun"]
    assert redis.client.llen(MESSAGES) == 1, "whoever is next is told of what waits"
