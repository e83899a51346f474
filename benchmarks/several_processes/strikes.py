"""What befalls a house of several processes: one of them, Redis or the connection to the truth is killed or frozen."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Literal

from benchmarks.several_processes.house import House, Process, Server

PAST_LEASE = 23.0
"""Seconds: ``PALIMPSEST_JOBS__LEASE`` (20) and a little more."""

What = Literal["serve", "worker", "Redis", "truth"]
How = Literal["killed", "frozen"]
WHATS: tuple[What, ...] = ("serve", "worker", "Redis", "truth")
HOWS: tuple[How, ...] = ("killed", "frozen")
KINDS = [(what, how) for what in WHATS for how in HOWS]


@dataclass(frozen=True)
class Strike:
    """``process``: whom it struck, if it is one of ours; ``unstruck``: servers that are asked meanwhile."""

    what: What
    how: How
    process: Process | None
    unstruck: list[Server]

    def __str__(self) -> str:
        return f"{self.process.name if self.process else self.what} {self.how}"


@asynccontextmanager
async def struck(house: House, what: What, how: How, drawn: random.Random) -> AsyncIterator[Strike]:
    """From here on; mended when the block is left, a frozen one not before its leases are over."""
    victims = house.servers if what == "serve" else house.workers if what == "worker" else []
    process = drawn.choice(victims) if victims else None
    unstruck = [each for each in house.servers if each is not process]
    begin, mend = _blow(house, what, how, process)
    await asyncio.to_thread(begin)
    began = time.monotonic()
    try:
        yield Strike(what, how, process, unstruck)
    finally:
        if how == "frozen":
            await asyncio.sleep(max(0.0, began + PAST_LEASE - time.monotonic()))
        await asyncio.to_thread(mend)
        if process:
            await asyncio.to_thread(process.until_ready)


def _blow(house: House, what: What, how: How, process: Process | None) -> tuple[Callable[[], None], Callable[[], None]]:
    """What is done, and what is done about it."""
    if process:
        return (process.kill, process.start) if how == "killed" else (process.freeze, process.thaw)
    if what == "Redis":
        redis = house.shared.redis
        return (redis.kill, redis.start) if how == "killed" else (redis.freeze, redis.thaw)
    # Of the loop that forwards, so not from a thread: both only set what it looks at.
    loop, truth = asyncio.get_running_loop(), house.truth
    blow = truth.cut if how == "killed" else truth.silence
    return partial(loop.call_soon_threadsafe, blow), partial(loop.call_soon_threadsafe, truth.restore)
