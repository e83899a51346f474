"""Keeps a process responsive: runs long calculations in worker processes, and measures the event loop's lag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from core.clock import Clock, system_clock
from core.resilience.loop_lag import LoopLag
from core.resilience.records import ResponsivenessReport
from core.resilience.worker_processes import WorkerProcesses


@dataclass(eq=False)
class Responsiveness(Collector):
    """The workers and the lag monitor of one event loop; as a collector it exports both to Prometheus."""

    clock: Clock = system_clock
    workers: WorkerProcesses = field(init=False)
    loop_lag: LoopLag = field(init=False)

    def __post_init__(self) -> None:
        self.workers = WorkerProcesses(clock=self.clock)
        self.loop_lag = LoopLag(self.clock)

    @property
    def report(self) -> ResponsivenessReport:
        """The report for administrators."""
        return ResponsivenessReport(
            longest=self.loop_lag.longest, pauses=self.loop_lag.pauses, stopped=self.workers.stopped
        )

    def collect(self) -> Iterator[Metric]:
        """The longest pause of the last minutes, and how many calculations were recently stopped."""
        yield GaugeMetricFamily("palimpsest_loop_lag_seconds", "Longest pause of the event loop", self.loop_lag.longest)
        yield GaugeMetricFamily("palimpsest_stopped_work", "Calculations stopped lately", len(self.workers.stopped))

    async def start(self) -> None:
        """Start to watch the running loop."""
        await self.loop_lag.start()

    async def stop(self) -> None:
        """Stop watching, and end the worker processes."""
        await self.loop_lag.stop()
        await self.workers.stop()
