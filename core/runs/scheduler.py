"""Repeats a task periodically, and immediately when it is called."""

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
"""Gives questions priority: returns when none is being answered, or after a while."""

ENDING_SECONDS = 3.0
"""Seconds within which cancelled work must end; otherwise the cancellation was lost."""


async def wait(called: asyncio.Event, seconds: float | None) -> None:
    """Wait until ``called`` is set, or until ``seconds`` have passed, if given."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await called.wait()


async def attempt(name: str, work: Awaitable[object]) -> None:
    """Do work that will be repeated later; a failure is only logged."""
    try:
        await work
    except ReadOnlyError:
        log.info("%s waits: nothing is written now", name)
    except Exception:
        log.exception("%s was left out this time", name)


class Scheduler:
    """Does ``work`` after ``first`` seconds, then every ``seconds``, and after every :meth:`call`, but at least
    ``apart`` seconds after the last time."""

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
        """Stop immediately; interrupted work is repeated at the next start."""
        self._stopped = True
        self._called.set()  # for work that failed while it was cancelled, and so looks like a mere failure
        if self._task:
            await end([self._task], ENDING_SECONDS)
            self._task = None

    def call(self) -> None:
        """Do it now; all calls during a round cause one more round."""
        self._called.set()

    async def _run(self) -> None:
        if self._first:
            await self._wait(self._called, self._first)
        while not self._stopped:
            self._called.clear()
            await attempt(self._name, self._work())
            await asyncio.sleep(self._apart)
            await self._wait(self._called, self._seconds)
