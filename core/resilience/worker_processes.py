"""Runs long calculations in processes that can be killed, so that the event loop stays free for others."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar

from core.clock import Clock, system_clock
from core.errors import PalimpsestError, fail
from core.resilience.idle_processes import IdleProcesses
from core.resilience.piped_process import start_module
from core.resilience.records import StoppedWork
from core.resilience.watchdog import end_group
from core.resilience.worker import LENGTH, Order, Outcome, packed
from core.words import Words

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")
Process = asyncio.subprocess.Process

SECONDS = 20.0
"""Seconds of processor time after which a calculation is stopped."""
WAITING = 3.0
"""A calculation is stopped when this factor times its seconds of processor time have passed, even if it got little
processor time."""
TURN_SECONDS = 30.0
"""Maximum seconds that a calculation waits for a free process."""
IDLE_SECONDS = 120.0
"""Seconds for which an idle process is kept: its loaded data is reused for the next question."""
MOST_LISTED = 20
OUT_OF_TIME = -getattr(signal, "SIGXCPU", 0)
"""Exit code of a process that has used up its processor time."""


class WorkerDiedError(Exception):
    """The worker process ended, or the calculation failed, and there is no outcome."""


@dataclass
class WorkerProcesses:
    """The worker processes of one event loop, each with one calculation at a time.

    At most ``most`` processes run in parallel; further calculations wait in order of arrival.

    Example:
        >>> import asyncio, math
        >>> async def main() -> int:
        ...     workers = WorkerProcesses()
        ...     try:
        ...         return await workers.run(Words.alike("A factorial"), math.factorial, 5)
        ...     finally:
        ...         await workers.stop()
        >>> asyncio.run(main())
        120
    """

    most: int = field(default_factory=lambda: max(2, os.cpu_count() or 1))
    seconds: float = SECONDS
    clock: Clock = system_clock

    def __post_init__(self) -> None:
        self._turns = asyncio.Semaphore(self.most)
        self._idle = IdleProcesses()
        self._stopped: deque[StoppedWork] = deque(maxlen=MOST_LISTED)

    @property
    def stopped(self) -> list[StoppedWork]:
        """The last calculations that were killed, the latest first."""
        return list(reversed(self._stopped))

    async def run(self, name: Words, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run ``function`` in a worker process and wait for its result.

        Args:
            name: what users read when the calculation is stopped.
            function: a function of a module; it and ``args`` must be picklable.

        Raises:
            PalimpsestError: the calculation was stopped, or no process became free in time ("timeout"), or what the
                function raised.
            WorkerDiedError: the function failed otherwise, or its process ended.
        """
        if kwargs:
            raise TypeError("a calculation takes its arguments by position")
        order = await asyncio.to_thread(packed, Order(function, args, self.seconds))
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turns.acquire()
        except TimeoutError as error:
            raise fail("timeout", "resilience.worker.busy", name=name) from error
        try:
            outcome = await self._outcome(name, order)
        finally:
            self._turns.release()
        if outcome.problem:
            raise PalimpsestError(outcome.problem)
        if outcome.failed:
            raise WorkerDiedError(outcome.failed)
        result: T = outcome.result
        return result

    async def stop(self) -> None:
        """End the idle processes."""
        await self._idle.stop()

    async def _outcome(self, name: Words, order: bytes) -> Outcome:
        process = self._idle.take() or await start_module("core.resilience.worker")
        began, answered = time.monotonic(), False
        try:
            async with asyncio.timeout(WAITING * self.seconds):
                outcome = await _asked(process, order)
            answered = True
        except (TimeoutError, WorkerDiedError) as error:
            if isinstance(error, WorkerDiedError) and await process.wait() != OUT_OF_TIME:
                raise
            seconds = time.monotonic() - began
            self._stopped.append(StoppedWork(at=self.clock(), name=name, seconds=seconds))
            log.warning("%s was stopped after %.1f s", name.en, seconds)
            raise stopped_work(name, seconds) from error
        finally:
            if answered and process.returncode is None:
                self._idle.keep(process, IDLE_SECONDS)
            else:
                end_group(process.pid)
                await asyncio.shield(process.wait())
        return outcome


async def _asked(process: Process, order: bytes) -> Outcome:
    """Send the order and read its outcome."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(order)
        await process.stdin.drain()
        length = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))[0]
        data = await process.stdout.readexactly(length)
    except (ConnectionError, asyncio.IncompleteReadError) as error:
        raise WorkerDiedError(f"the worker process died: {error}") from error
    outcome: Outcome = await asyncio.to_thread(pickle.loads, data)
    return outcome


def stopped_work(name: Words, seconds: float) -> PalimpsestError:
    """The error of a calculation that took too long."""
    return fail("timeout", "resilience.worker.stopped", name=name, seconds=round(seconds))
