"""Tracks the processes that share the record store, by their periodic heartbeats."""

from __future__ import annotations

import logging
import os
import platform
from collections.abc import Callable

from pydantic import BaseModel, Field

from core.clock import Clock
from core.runs.scheduler import Scheduler
from core.setting_groups import Jobs
from core.store.migrations.stored import ALIVE_SECONDS, FIRST, FORMAT_NOTED, PROCESSES
from core.store.migrations.upgrade import FORMAT
from core.store.silence import end_at_once
from core.store.truth import Truth
from core.store.typed_collection import TypedCollection

log = logging.getLogger(__name__)

SIGN_SECONDS = 10.0
FORGOTTEN_SECONDS = 3600.0


class Process(BaseModel, populate_by_name=True):
    """A process. ``workers``: how many jobs of each kind it runs in parallel; 0 leaves this kind to other processes.
    ``serves``: it serves pages; ``format``: the data format that it writes."""

    id: str = Field(alias="_id")
    host: str
    pid: int
    serves: bool
    workers: int
    format: int = FIRST
    started_at: float
    seen_at: float


class Processes:
    """Sends this process's heartbeat and reads those of others. ``owner`` is this process's name; ``end`` is called
    when a later version has changed the data format."""

    def __init__(
        self,
        truth: Truth,
        clock: Clock,
        owner: str,
        jobs: Jobs,
        *,
        serves: bool,
        end: Callable[[], None] = end_at_once,
    ) -> None:
        self._all = TypedCollection(truth.collection(PROCESSES), Process)
        self._format = truth.collection(FORMAT_NOTED)
        self._end = end
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
        """Running processes, in order of their start."""
        lately = {"seen_at": {"$gte": self._clock() - ALIVE_SECONDS}}
        return await self._all.find(lately, sort=[("started_at", 1)])

    async def _give_sign(self) -> None:
        noted = await self._format.get("format")
        if noted and int(str(noted["number"])) > FORMAT:
            log.critical(
                "the data are of format %s by now and this version writes %d: it ends", noted["number"], FORMAT
            )
            self._end()
            return
        now = self._clock()
        await self._all.put(
            Process(
                id=self._owner,
                host=platform.node(),
                pid=os.getpid(),
                serves=self._serves,
                workers=self._jobs.workers,
                format=FORMAT,
                started_at=self._began,
                seen_at=now,
            )
        )
        await self._all.rows.delete({"seen_at": {"$lt": now - FORGOTTEN_SECONDS}})
