"""Which processes share the truth now: *a sign of life from time to time* → those that gave one lately."""

from __future__ import annotations

import os
import platform

from pydantic import BaseModel, Field

from core.clock import Clock
from core.runs.scheduler import Scheduler
from core.setting_groups import Jobs
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection

COLLECTION = "processes"
SIGN_SECONDS = 10.0
ALIVE_SECONDS = 35.0
"""Since its last sign: three of them may be late."""
FORGOTTEN_SECONDS = 3600.0


class Process(BaseModel, populate_by_name=True):
    """``workers``: how many jobs of one kind it does at once; 0 leaves them to others. ``serves``: it has pages."""

    id: str = Field(alias="_id")
    host: str
    pid: int
    serves: bool
    workers: int
    started_at: float
    seen_at: float


class Processes:
    """``owner`` is this one's name."""

    def __init__(self, truth: Truth, clock: Clock, owner: str, jobs: Jobs, *, serves: bool) -> None:
        self._all = TypedCollection(truth.collection(COLLECTION), Process)
        self._clock = clock
        self._owner = owner
        self._jobs = jobs
        self._serves = serves
        self._began = clock()
        self._signs = Scheduler("a sign of life", self._give_sign, SIGN_SECONDS)

    async def start(self) -> None:
        await self._signs.start()

    async def stop(self) -> None:
        await self._signs.stop()
        await self._all.rows.delete({"_id": self._owner})

    async def alive(self) -> list[Process]:
        """The one that began first first."""
        lately = {"seen_at": {"$gte": self._clock() - ALIVE_SECONDS}}
        return await self._all.find(lately, sort=[("started_at", 1)])

    async def _give_sign(self) -> None:
        now = self._clock()
        await self._all.put(
            Process(
                id=self._owner,
                host=platform.node(),
                pid=os.getpid(),
                serves=self._serves,
                workers=self._jobs.workers,
                started_at=self._began,
                seen_at=now,
            )
        )
        await self._all.rows.delete({"seen_at": {"$lt": now - FORGOTTEN_SECONDS}})
