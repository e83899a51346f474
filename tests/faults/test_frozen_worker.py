"""Tests a worker frozen beyond its lease: another worker takes its job, and its late writes are refused."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

from core.runs.jobs import Job, JobState
from tests.faults import frozen_worker
from tests.servers.forked import forked
from tests.service.house import until


class Second:
    def __init__(self) -> None:
        self.began, self.hold = asyncio.Event(), asyncio.Event()
        self.attempts = 0

    async def run(self, job: Job) -> JobState:
        self.attempts = job.attempts
        self.began.set()
        await self.hold.wait()
        return "completed"

    async def roll_back(self, job: Job) -> None:
        raise AssertionError("nobody cancelled it")


async def test_a_worker_that_wakes_up_after_its_lease_writes_nothing_and_undoes_nothing(tmp_path: Path) -> None:
    truth = frozen_worker.truth_in(tmp_path)
    await truth.start()
    jobs, second = frozen_worker.queue(truth, "second"), Second()
    job = await jobs.submit("ada", "doc", "run")
    process = forked(frozen_worker.work, tmp_path)
    process.start()

    async def said(what: str) -> bool:
        return (tmp_path / what).exists()

    try:
        await until(lambda: said("began"), "the first has begun", 30)
        assert process.pid
        os.kill(process.pid, signal.SIGSTOP)
        stopped = time.monotonic()
        await jobs.start(second, alone=False)
        async with asyncio.timeout(20):
            await second.began.wait()
        assert time.monotonic() - stopped < frozen_worker.LEASE + 5, "another goes on soon after the lease"
        os.kill(process.pid, signal.SIGCONT)
        await until(lambda: said("woke"), "the first has tried to write", 20)
        second.hold.set()

        async def is_done() -> bool:
            found = await jobs.get(job.id)
            return found is not None and found.state == "completed"

        await until(is_done, "the second has done it", 20)
    finally:
        process.kill()
        await asyncio.to_thread(process.join)
        await jobs.stop()
    assert [row["_id"] for row in await truth.collection("notes").find()] == ["in time"]
    assert not await said("rolled back")
    found = await jobs.get(job.id)
    assert found is not None
    assert (found.lease_owner, found.attempts, second.attempts) == ("second", 2, 2)
    await truth.stop()
