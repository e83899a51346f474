"""Tasks that are held while they run, and end for certain: *tasks* → all of them ended, also where a cancel was lost.

Python 3.11's ``wait_for``, in which libraries send, forgets a cancel that comes as it returns; the task then goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

AGAIN_SECONDS = 1.0


def begin(work: Coroutine[Any, Any, T], kept: set[asyncio.Task[T]]) -> asyncio.Task[T]:
    """A task that ``kept`` holds until it has ended: the loop alone would let go of it."""
    task = asyncio.create_task(work)
    kept.add(task)
    task.add_done_callback(kept.discard)
    return task


async def end(tasks: Iterable[asyncio.Task[Any]], again: float = AGAIN_SECONDS) -> None:
    """Cancel them, and those that go on once more after each ``again`` seconds, in which they may put things in order.
    What they raise is theirs."""
    going_on = set(tasks)
    while going_on:
        for each in going_on:
            each.cancel()
        ended, going_on = await asyncio.wait(going_on, timeout=again)
        for each in ended:
            _ = each.cancelled() or each.exception()  # else it is told in the log that nobody asked
