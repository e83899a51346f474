"""Runs a due maintenance round once for all processes: notifies a free worker, or does it in this process.

A lost message does no harm: the round is due again after a while, and any process finds what is left to do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from core.resilience.ending import begin, end
from core.runs.scheduler import attempt

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

EVERYONE = ""
ONE_ROUND = 0.8
"""Share of the time between two rounds within which rounds due in several processes count as one."""
HEARING_SECONDS = 3.0
"""Time limit in seconds for one check whether a message has arrived."""
ENDING_SECONDS = 10.0

Work = Callable[[str], Awaitable[object]]
"""A function that does a round; it is called with the user's id, or ``EVERYONE``."""


class SharedRound:
    """``work`` may be done by several processes in parallel and repeatedly. A process with ``workers`` is notified of
    rounds by others. If several rounds for one person become due within ``apart`` seconds, in any processes, only
    one is done. With ``until_done`` this period ends as soon as the round is done, and so it only limits the wait
    for a round whose process died.
    """

    def __init__(
        self,
        name: str,
        work: Work,
        dispatch: Dispatch | None,
        workers: int,
        apart: float = 0.0,
        *,
        until_done: bool = False,
    ) -> None:
        self._name = name
        self._work = work
        self._dispatch = dispatch
        self._workers = workers
        self._apart = apart
        self._until_done = until_done
        self._one_here = asyncio.Lock()
        self._drained = False
        self._listening: list[asyncio.Task[None]] = []
        self._told: set[asyncio.Task[None]] = set()
        """Rounds that a message has triggered; they continue after the listening has stopped."""

    async def start(self) -> None:
        if self._dispatch and self._workers:
            self._listening = [asyncio.create_task(self._dispatch.listen(self._when_told, 1), name=self._name)]

    async def drain(self) -> None:
        """Start no more rounds: rounds that become due are handed to another process. A running round continues until
        this process stops; then the next process in which it is due completes it."""
        self._drained = True
        await end(self._listening, HEARING_SECONDS)

    async def stop(self) -> None:
        await end([*self._listening, *self._told], ENDING_SECONDS)

    async def due(self, whose: str = EVERYONE) -> bool:
        """Whether this round was done or another process notified; false if another round replaces it.

        Raises any error of the work if it is done here, which happens if there is no other process, Redis is
        unavailable, or the last round still waits because no process is free.
        """
        if self._dispatch is None:
            await self._do(whose)
            return True
        if self._apart and not await self._dispatch.first_within(self._apart, whose):
            return False
        if await self._dispatch.untold() != 0 or not await self._dispatch.tell(whose):
            await self._do(whose)
        return True

    async def _when_told(self, whose: str) -> None:
        await asyncio.wait([begin(attempt(self._name, self._do(whose)), self._told)])

    async def _do(self, whose: str) -> None:
        async with self._one_here:
            if self._drained and self._dispatch:
                await self._dispatch.tell(whose)
            elif not self._drained:
                await self._work_on(whose)

    async def _work_on(self, whose: str) -> None:
        try:
            await self._work(whose)
        finally:
            if self._dispatch and self._until_done:
                await self._dispatch.end_span(whose)
