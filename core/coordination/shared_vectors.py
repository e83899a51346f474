"""Caches vectors for all processes: *keys* → the vectors that one of them has computed within ``days``.

A vector is packed float32 under ``embedding:v1:{model}:{hash of the normalised text}``; each hit restarts its expiry
time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.batches import batches
from core.clock import DAY
from core.coordination.redis import RedisConnection

if TYPE_CHECKING:
    from redis.asyncio import Redis as Client

AT_ONCE = 256
"""Number of keys per round trip: 400 kB of vectors with 384 dimensions."""


class SharedVectors:
    """Reads and stores vectors. It never fails: while Redis is unavailable, nothing is found and new vectors are not
    stored."""

    def __init__(self, redis: RedisConnection, days: float) -> None:
        self._redis = redis
        self._seconds = max(1, round(days * DAY))

    async def recall(self, model: str, hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """The known vectors by their hashes."""
        known: dict[str, NDArray[np.float32]] = {}
        for some in batches(list(dict.fromkeys(hashes)), AT_ONCE):
            nothing: list[bytes | None] = []
            packed = await self._redis.try_to(partial(self._read, model, some), nothing)
            known |= {each: np.frombuffer(row, dtype="<f4") for each, row in zip(some, packed, strict=False) if row}
        return known

    async def remember(self, model: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        for some in batches(list(vectors), AT_ONCE):
            rows = {_key(model, each): vectors[each].astype("<f4").tobytes() for each in some}
            await self._redis.try_to(partial(self._write, rows), None)

    async def forget(self, model: str, hashes: Sequence[str]) -> None:
        """Delete vectors; those that cannot be deleted now expire later."""
        for some in batches(hashes, AT_ONCE):
            await self._redis.try_to(partial(self._delete, [_key(model, each) for each in some]), None)

    async def _read(self, model: str, hashes: Sequence[str], client: Client) -> list[bytes | None]:
        async with client.pipeline(transaction=False) as pipeline:
            for each in hashes:
                pipeline.getex(_key(model, each), ex=self._seconds)
            found: list[bytes | None] = await pipeline.execute()
        return found

    async def _write(self, rows: Mapping[str, bytes], client: Client) -> None:
        async with client.pipeline(transaction=False) as pipeline:
            for key, row in rows.items():
                pipeline.set(key, row, ex=self._seconds)
            await pipeline.execute()

    async def _delete(self, keys: Sequence[str], client: Client) -> None:
        await client.unlink(*keys)


def _key(model: str, hash_: str) -> str:
    return f"embedding:v1:{model}:{hash_}"
