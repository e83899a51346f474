"""Ends running tasks reliably, even if a cancellation was lost.

Python 3.11's ``wait_for``, which libraries use, loses a cancellation that arrives as it returns; the task then
continues.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_SECONDS = 1.0


def begin(work: Coroutine[Any, Any, T], kept: set[asyncio.Task[T]]) -> asyncio.Task[T]:
    """Start a task and store it in ``kept`` until it ends, because the event loop itself keeps only a weak
    reference."""
    task = asyncio.create_task(work)
    kept.add(task)
    task.add_done_callback(kept.discard)
    return task


async def end(tasks: Iterable[asyncio.Task[Any]], again: float = AGAIN_SECONDS) -> None:
    """Cancel tasks, and cancel those that are still running again every ``again`` seconds; in between they may clean
    up. Their exceptions are ignored."""
    going_on = set(tasks)
    while going_on:
        for each in going_on:
            each.cancel()
        ended, going_on = await asyncio.wait(going_on, timeout=again)
        for each in ended:
            _ = (
                each.cancelled() or each.exception()
            )  # otherwise a log message says that the exception was never retrieved
