"""Queues of two processes over one truth, which look for jobs so seldom that whoever begins in time was told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.coordination.announcements import Announcements
from core.ids import new_id
from core.runs.jobs import Job, JobQueue, JobState
from core.setting_groups import Jobs
from core.store.sqlite import SqliteTruth
from tests.core.coordination.conftest import Connect

AT_ONCE = 5.0


class Worker:
    def __init__(self) -> None:
        self.began, self.rolled_back = asyncio.Event(), asyncio.Event()

    async def run(self, job: Job) -> JobState:
        self.began.set()
        await asyncio.Event().wait()
        return "completed"

    async def roll_back(self, job: Job) -> None:
        self.rolled_back.set()


Two = tuple[JobQueue, JobQueue]


@pytest.fixture
async def two(connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Two]:
    monkeypatch.setattr("core.runs.jobs.IDLE_SECONDS", 600.0)
    truth = SqliteTruth(tmp_path / "truth.sqlite", seconds=10.0)
    await truth.start()
    told = [Announcements(connect(), name) for name in ("one", "other")]
    settings, seconds = Jobs(lease=600.0), iter(range(1, 1_000))
    queues = [
        JobQueue("reading", truth, lambda: float(next(seconds)), new_id, name, settings, each)
        for name, each in zip(("one", "other"), told, strict=True)
    ]
    for each in told:
        await each.start()
        async with asyncio.timeout(10):
            await each.hearing.wait()
    yield queues[0], queues[1]
    for queue in queues:
        await queue.stop()
    for each in told:
        await each.stop()
    await truth.stop()


async def test_a_job_of_one_process_is_begun_by_another_at_once_and_ended_from_the_first(two: Two) -> None:
    one, other = two
    worker = Worker()
    await other.start(worker, alone=True)
    job = await one.submit("ada", "doc", "run")
    async with asyncio.timeout(AT_ONCE):
        await worker.began.wait()
        await one.cancel(job.id)
        await worker.rolled_back.wait()


async def test_a_job_that_one_process_lets_go_of_is_taken_up_by_another_at_once(two: Two) -> None:
    one, other = two
    first, second = Worker(), Worker()
    await one.start(first, alone=True)
    await one.submit("ada", "doc", "run")
    async with asyncio.timeout(AT_ONCE):
        await first.began.wait()
    await other.start(second, alone=False)
    await one.stop()
    async with asyncio.timeout(AT_ONCE):
        await second.began.wait()
