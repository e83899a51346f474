"""Tests calculations in separate processes: results, errors, and endless calculations."""

from __future__ import annotations

import asyncio
import math
import os
import time

import pytest

from core.errors import PalimpsestError, fail
from core.resilience.worker_processes import WorkerDiedError, WorkerProcesses
from core.words import Words

NAME = Words.alike("A calculation")


def endless() -> None:
    while True:
        pass


def refuses() -> None:
    raise fail("validation", "graph.compare.too_few")


def dies() -> None:
    os._exit(3)


async def test_a_process_is_kept_and_obeys_again() -> None:
    workers = WorkerProcesses(most=1)
    try:
        assert await workers.run(NAME, math.factorial, 5) == 120
        first = await workers.run(NAME, os.getpid)
        assert first == await workers.run(NAME, os.getpid) != os.getpid()
    finally:
        await workers.stop()


async def test_an_endless_calculation_is_killed_and_others_go_on() -> None:
    workers = WorkerProcesses(most=2, seconds=1.0, clock=lambda: 7.0)
    try:
        endless_one = asyncio.create_task(workers.run(NAME, endless))
        assert await workers.run(NAME, math.factorial, 5) == 120
        worst, began = 0.0, time.monotonic()
        while not endless_one.done():
            before = time.monotonic()
            await asyncio.sleep(0.01)
            worst = max(worst, time.monotonic() - before)
        with pytest.raises(PalimpsestError, match=r"stopped after \d+ seconds"):
            await endless_one
        assert time.monotonic() - began < 20
        assert worst < 0.5
        assert [(each.at, each.name) for each in workers.stopped] == [(7.0, NAME)]
    finally:
        await workers.stop()


async def test_errors_arrive_as_what_they_are() -> None:
    workers = WorkerProcesses(most=1)
    try:
        with pytest.raises(PalimpsestError) as refused:
            await workers.run(NAME, refuses)
        assert refused.value.problem.category == "validation"
        with pytest.raises(WorkerDiedError, match="ValueError"):
            await workers.run(NAME, math.sqrt, -1.0)
        with pytest.raises(WorkerDiedError):
            await workers.run(NAME, dies)
        assert await workers.run(NAME, math.factorial, 4) == 24
    finally:
        await workers.stop()


async def test_a_cancelled_calculation_ends_with_its_process() -> None:
    workers = WorkerProcesses(most=1)
    try:
        waiting = asyncio.create_task(workers.run(NAME, endless))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await workers.run(NAME, math.factorial, 3) == 6
        assert workers.stopped == []
    finally:
        await workers.stop()
