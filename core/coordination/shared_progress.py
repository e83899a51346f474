"""Publishes a run's progress to all processes: *a run, a text* ↔ ``task:progress:{run}``, kept for a minute.

Nothing depends on it: if it is missing, a run's progress is read from its events.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from core.coordination.redis import RedisConnection
from core.resilience.ending import end

if TYPE_CHECKING:
    from redis.asyncio import Redis as Client

KEPT_SECONDS = 60
"""Seconds without an update after which a run's events are read; also the longest time that a lost deletion has an
effect."""
SECONDS_APART = 0.25
"""Seconds between two round trips, each with the latest progress of every run."""


class SharedProgress:
    """Publishes and reads progress. Never fails: while Redis is unavailable, nothing is known and updates are lost."""

    def __init__(self, redis: RedisConnection) -> None:
        self._redis = redis
        self._untold: dict[str, str | None] = {}
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def tell(self, run_id: str, standing: str | None) -> None:
        """Publish progress; never blocks. ``None``: unknown from now on, or finished."""
        self._untold[run_id] = standing
        self._something.set()

    async def of(self, run_ids: Sequence[str]) -> dict[str, str]:
        """The latest progress of each of these runs, in one round trip."""
        if not run_ids:
            return {}
        nothing: list[bytes | str | None] = []
        found = await self._redis.try_to(partial(self._read, run_ids), nothing)
        told = {run_id: each for run_id, each in zip(run_ids, found, strict=False) if each}
        return {run_id: each if isinstance(each, str) else each.decode() for run_id, each in told.items()}

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(self._send())]

    async def stop(self) -> None:
        await end(self._tasks, SECONDS_APART)

    async def _send(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            told, self._untold = self._untold, {}
            await self._redis.try_to(partial(self._write, told), None)
            await asyncio.sleep(SECONDS_APART)

    async def _read(self, run_ids: Sequence[str], client: Client) -> list[bytes | str | None]:
        return await client.mget([_key(each) for each in run_ids])

    async def _write(self, told: Mapping[str, str | None], client: Client) -> None:
        async with client.pipeline(transaction=False) as pipeline:
            for run_id, standing in told.items():
                if standing is None:
                    pipeline.unlink(_key(run_id))
                else:
                    pipeline.set(_key(run_id), standing, ex=KEPT_SECONDS)
            await pipeline.execute()


def _key(run_id: str) -> str:
    return f"task:progress:{run_id}"
