"""Work, then sleep: what has to be done from time to time, and now when something calls for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from core.errors import ReadOnlyError
from core.resilience.ending import end

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[object]]
Wait = Callable[[asyncio.Event, float], Awaitable[None]]
Idle = Callable[[], Awaitable[None]]
"""Lets questions go first: returns when none is being answered, or after a while."""

ENDING_SECONDS = 3.0
"""In which work has ended that was cancelled, or the cancel was lost."""


async def wait(called: asyncio.Event, seconds: float | None) -> None:
    """Until ``called`` is set, or ``seconds`` have passed where there are any."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await called.wait()


async def attempt(name: str, work: Awaitable[object]) -> None:
    """Do what will be due again; that it failed is said in the log alone."""
    try:
        await work
    except ReadOnlyError:
        log.info("%s waits: nothing is written now", name)
    except Exception:
        log.exception("%s was left out this time", name)


class Scheduler:
    """Does ``work`` after ``first`` seconds, then every ``seconds``, and whenever it is called, but ``apart`` seconds
    after it was last done at the earliest."""

    def __init__(
        self, name: str, work: Work, seconds: float, wait: Wait = wait, first: float = 0.0, apart: float = 0.0
    ) -> None:
        self._name = name
        self._work = work
        self._seconds = seconds
        self._first = first
        self._apart = apart
        self._wait = wait
        self._called = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    async def start(self) -> None:
        self._stopped = False
        self._task = asyncio.create_task(self._run(), name=self._name)

    async def stop(self) -> None:
        """Ends at once; what was being done is repeated at the next start."""
        self._stopped = True
        self._called.set()  # for work that failed while it was cancelled, and so seems to have merely failed
        if self._task:
            await end([self._task], ENDING_SECONDS)
            self._task = None

    def call(self) -> None:
        """Do it now; calls that come while it is being done make one more round together."""
        self._called.set()

    async def _run(self) -> None:
        if self._first:
            await self._wait(self._called, self._first)
        while not self._stopped:
            self._called.clear()
            await attempt(self._name, self._work())
            await asyncio.sleep(self._apart)
            await self._wait(self._called, self._seconds)
