"""Keeps a process responsive: long calculations run in worker processes, and the lag of the event loop is measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.clock import Clock, system_clock
from core.resilience.loop_lag import LoopLag
from core.resilience.worker_processes import WorkerProcesses


@dataclass
class Responsiveness:
    """The workers and the watchdog of one event loop."""

    clock: Clock = system_clock
    workers: WorkerProcesses = field(init=False)
    loop_lag: LoopLag = field(init=False)

    def __post_init__(self) -> None:
        self.workers = WorkerProcesses(clock=self.clock)
        self.loop_lag = LoopLag(self.clock)

    async def start(self) -> None:
        """Watch the running loop."""
        await self.loop_lag.start()

    async def stop(self) -> None:
        """Stop watching, and end the worker processes."""
        await self.loop_lag.stop()
        await self.workers.stop()
