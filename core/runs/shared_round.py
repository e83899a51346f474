"""Upkeep done once for all processes: *it is due here, for whom* → a free worker is told, or this one does it.

Nothing is lost with a message: what is due is due again after a while, and whoever does it finds what is left to do.
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
"""Of the time between two rounds: those of several processes that are due within it are one."""
HEARING_SECONDS = 3.0
"""In which a look for a message is over."""
ENDING_SECONDS = 10.0

Work = Callable[[str], Awaitable[object]]
"""Given whose it is, or ``EVERYONE``."""


class SharedRound:
    """``work`` may be done by several at once and again. A process with ``workers`` is told of rounds by others; of
    those for one person that are due within ``apart`` seconds, wherever, one is done. ``until_done``: that time is over
    with the round, so that it is only how long one that died is waited for."""

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
        """Rounds that a message has led to; they outlive the listening."""

    async def start(self) -> None:
        if self._dispatch and self._workers:
            self._listening = [asyncio.create_task(self._dispatch.listen(self._when_told, 1), name=self._name)]

    async def drain(self) -> None:
        """Begin no more rounds: what is due or told from now on is handed to another process. One that is being done
        goes on until the stop; who finds it due next goes on with it."""
        self._drained = True
        await end(self._listening, HEARING_SECONDS)

    async def stop(self) -> None:
        await end([*self._listening, *self._told], ENDING_SECONDS)

    async def due(self, whose: str = EVERYONE) -> bool:
        """Whether this round is done, or somebody is told of it; not where another one takes its place.

        Raises whatever the work raises, where it is done here: there is no other process, Redis is away, or the last
        round still waits because nobody is free."""
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
