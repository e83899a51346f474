"""Keeps processes that have finished their work for some time, so that the next work need not start one."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process

from core.resilience.watchdog import end_group


class IdleProcesses:
    """The idle processes of one kind; the one that became idle last is used first."""

    def __init__(self) -> None:
        self._idle: list[tuple[Process, asyncio.TimerHandle]] = []

    def take(self) -> Process | None:
        """Returns a process that still runs; ``None`` if there is none."""
        while self._idle:
            process, timer = self._idle.pop()
            timer.cancel()
            if process.returncode is None:
                return process
        return None

    def keep(self, process: Process, seconds: float) -> None:
        """Keeps the process, and ends it if it is not taken within ``seconds``."""
        timer = asyncio.get_running_loop().call_later(seconds, self._end, process)
        self._idle.append((process, timer))

    async def stop(self) -> None:
        """Ends all processes."""
        idle, self._idle = self._idle, []
        for process, timer in idle:
            timer.cancel()
            end_group(process.pid)
        await asyncio.gather(*(process.wait() for process, _ in idle))

    def _end(self, process: Process) -> None:
        self._idle = [each for each in self._idle if each[0] is not process]
        end_group(process.pid)
