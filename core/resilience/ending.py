"""Tasks that end for certain: *tasks* → all of them ended, also where a cancel was lost.

Python 3.11's ``wait_for``, in which libraries send, forgets a cancel that comes as it returns; the task then goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

AGAIN_SECONDS = 1.0


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
