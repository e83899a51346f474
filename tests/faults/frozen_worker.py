"""A worker in a separate process that is frozen in the middle of a job, and writes when it wakes up."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from core.ids import new_id
from core.runs.jobs import Job, JobQueue, JobState
from core.setting_groups import Jobs
from core.store.scope import ScopedTruth
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Truth

LEASE = 1.0
FROZEN = 0.9
"""Seconds; if more time passes between two clock readings, the process was frozen in between."""
SECONDS = 60.0


def queue(truth: Truth, owner: str) -> JobQueue:
    return JobQueue("reading", truth, time.time, new_id, owner, Jobs(lease=LEASE))


def truth_in(home: Path) -> SqliteTruth:
    return SqliteTruth(home / "truth.sqlite", seconds=10.0)


class Late:
    """A worker that reports its state in files in ``home``, not through the record store."""

    def __init__(self, truth: Truth, home: Path) -> None:
        self._truth, self._home = truth, home

    async def run(self, job: Job) -> JobState:
        notes = ScopedTruth(self._truth, job.user_id).collection("notes")
        await notes.insert_many([{"_id": "in time", "user_id": job.user_id}])
        self._say("began")
        try:
            await frozen()
            await notes.insert_many([{"_id": "late", "user_id": job.user_id}])
        finally:
            self._say("woke")
        return "failed"

    async def roll_back(self, job: Job) -> None:
        self._say("rolled back")

    def _say(self, what: str) -> None:
        (self._home / what).touch()


async def frozen() -> None:
    """Returns after this process has been frozen for a while."""
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.01)
        if time.monotonic() - before > FROZEN:
            return


def work(home: Path) -> None:
    async def life() -> None:
        truth = truth_in(home)
        await truth.start()
        jobs = queue(truth, "frozen")
        await jobs.start(Late(truth, home), alone=False)
        await asyncio.sleep(SECONDS)

    asyncio.run(life())
