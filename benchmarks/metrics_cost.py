"""Measures the cost of metrics: processor time of a question with and without them, in alternating runs.

``python -m benchmarks.metrics_cost [--runs 10]``. One workbench has read the samples and uses keyword search only, so
that a question is as cheap as possible. A run asks each question with metrics and without them, one after the other, in
random order. Without metrics, nothing listens for runs, calls and tools, and no daily figures are written. With
metrics, the daily figures are written once per run; the server writes them every half minute. Processor time is that of
the process, all threads. The time spent inside the listeners and writers is reported too, because other work on the
machine does not affect it. Exits with 1 if the median of the runs is above 1 %.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from benchmarks.temporary_workbench import open_workbench
from core.events import Interrupted
from core.memory.maintenance.metrics import Metrics
from core.workbench import Workbench

GOAL = 1.0
"""Maximum cost of metrics, in percent of the processor time of a question."""
USER = "reader"
QUESTIONS = (
    "What is reimbursed for a hotel in 2025?",
    "What is the notice period of the metering contract?",
    "How much was spent on vendors in 2024?",
    "Who supplies meters by the contract?",
    "Which vendor had the highest spend in 2025?",
    "When did the incident in the Hadar zone begin?",
)
RECORDING = ("observe", "stage", "record_search", "outcome", "count", "level")


@dataclass
class Run:
    """Processor seconds of all questions; ``within``: the part spent inside listeners and writers."""

    measured: float = 0.0
    unmeasured: float = 0.0
    within: float = 0.0

    @property
    def percent(self) -> float:
        return 100 * (self.measured - self.unmeasured) / self.unmeasured

    @property
    def percent_within(self) -> float:
        return 100 * self.within / self.measured


async def ask(workbench: Workbench, question: str) -> float:
    """Returns the processor seconds until the question is answered."""
    began = time.process_time()
    asked = await workbench.ask(USER, question)
    async for entry in workbench.ledger.tail(USER, asked.run_id):
        if isinstance(entry.event, Interrupted):
            raise RuntimeError(f"this question is asked back: {question}")
    return time.process_time() - began


@contextmanager
def silence(workbench: Workbench) -> Iterator[None]:
    """Disables all metrics in this block."""
    with _in_place(workbench, lambda _: lambda *_, **__: None):
        yield


@contextmanager
def timing(workbench: Workbench, run: Run) -> Iterator[None]:
    """Adds the time spent on metrics to ``run.within``; if calls are nested, only the outer one counts."""
    inside = False

    def timed(call: Callable[..., Any]) -> Callable[..., Any]:
        def timing(*given: Any, **named: Any) -> Any:
            nonlocal inside
            if inside:
                return call(*given, **named)
            inside, began = True, time.thread_time()
            try:
                return call(*given, **named)
            finally:
                inside = False
                run.within += time.thread_time() - began

        return timing

    with _in_place(workbench, timed):
        yield


@contextmanager
def _in_place(workbench: Workbench, changed: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Iterator[None]:
    """Wraps all listeners and writers of metrics with ``changed`` in this block."""
    with ExitStack() as stack:
        for name in RECORDING:
            stack.enter_context(patch.object(Metrics, name, changed(getattr(Metrics, name))))
        listeners = [changed(each) for each in workbench.ledger._listeners]
        stack.enter_context(patch.object(workbench.ledger, "_listeners", listeners))
        stack.enter_context(patch.object(workbench.tools, "_count", changed(workbench.tools._count)))
        yield


async def run_once(workbench: Workbench, drawn: random.Random) -> Run:
    run = Run()
    for question in QUESTIONS:
        for measuring in drawn.sample([True, False], 2):
            if measuring:
                with timing(workbench, run):
                    run.measured += await ask(workbench, question)
            else:
                with silence(workbench):
                    run.unmeasured += await ask(workbench, question)
    began = time.process_time()
    await workbench.operations.counted.keep_up()
    run.measured += time.process_time() - began
    run.within += time.process_time() - began
    return run


async def compare(runs: int) -> list[Run]:
    drawn, done = random.Random(7), []
    async with open_workbench(dense=False) as workbench:
        for submission in await workbench.load_samples(USER):
            async for _ in workbench.ledger.tail(USER, submission.document.run_id or ""):
                pass
        await run_once(workbench, drawn)  # reads data that is loaded only once, before the measurement starts
        for number in range(runs):
            run = await run_once(workbench, drawn)
            milliseconds = [1000 * each / len(QUESTIONS) for each in (run.measured, run.unmeasured, run.within)]
            print("{:3}: with {:7.2f} ms, without {:7.2f} ms, within {:5.2f} ms".format(number + 1, *milliseconds))
            done.append(run)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = asyncio.run(compare(parser.parse_args().runs))
    differences = [each.percent for each in runs]
    median, within = statistics.median(differences), statistics.median(each.percent_within for each in runs)
    print(
        f"differences: median {median:+.2f} %, {min(differences):+.2f} to {max(differences):+.2f} %; goal {GOAL:.0f} %"
    )
    print(f"within listeners and writers: median {within:.2f} % of a question's processor time")
    return 0 if median <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
