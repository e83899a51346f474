"""Kills or freezes one part of several processes: a process, Redis or the connection to the record store."""

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
"""Seconds that a process stays frozen: ``PALIMPSEST_JOBS__LEASE`` (20) and a little more."""

What = Literal["serve", "worker", "Redis", "truth"]
How = Literal["killed", "frozen"]
WHATS: tuple[What, ...] = ("serve", "worker", "Redis", "truth")
HOWS: tuple[How, ...] = ("killed", "frozen")
KINDS = [(what, how) for what in WHATS for how in HOWS]


@dataclass(frozen=True)
class Strike:
    """A kill or a freeze. ``process``: the process that was struck, if it is a server or worker; ``unstruck``: servers
    that users are switched to during the strike."""

    what: What
    how: How
    process: Process | None
    unstruck: list[Server]

    def __str__(self) -> str:
        return f"{self.process.name if self.process else self.what} {self.how}"


@asynccontextmanager
async def struck(house: House, what: What, how: How, drawn: random.Random) -> AsyncIterator[Strike]:
    """Strikes, and repairs the damage when the block is left; a frozen process stays frozen until its leases have
    expired."""
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
    """Returns the strike and its repair."""
    if process:
        return (process.kill, process.start) if how == "killed" else (process.freeze, process.thaw)
    if what == "Redis":
        redis = house.shared.redis
        return (redis.kill, redis.start) if how == "killed" else (redis.freeze, redis.thaw)
    # Both are called in the forwarder's event loop, not from a thread, and only set flags that the forwarder checks.
    loop, truth = asyncio.get_running_loop(), house.truth
    blow = truth.cut if how == "killed" else truth.silence
    return partial(loop.call_soon_threadsafe, blow), partial(loop.call_soon_threadsafe, truth.restore)
