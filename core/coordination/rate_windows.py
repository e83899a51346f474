"""How often something happened within a moving window: *a limit, whose* → admitted, or in how many seconds.

All processes count together in Redis, and each counts for itself as well: while Redis is away, or after it was emptied,
nobody is admitted more often than one process alone would admit them.
"""

from __future__ import annotations

import time

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter

from core.coordination.redis import RedisConnection


class RateWindows:
    """``redis``: none where one process is all there is."""

    def __init__(self, redis: RedisConnection | None = None) -> None:
        self._redis = redis
        self._here = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None

    async def seconds_to_wait(self, limit: RateLimitItem, *names: str) -> float:
        """0 for what is admitted, which then counts; what is refused does not."""
        return await self._everywhere(limit, names) or await _wait(self._here, limit, names)

    async def _everywhere(self, limit: RateLimitItem, names: tuple[str, ...]) -> float:
        if self._redis is None:
            return 0.0
        shared = self._shared = self._shared or MovingWindowRateLimiter(_storage(self._redis))
        return await self._redis.try_to(lambda _: _wait(shared, limit, names), 0.0)


async def _wait(windows: MovingWindowRateLimiter, limit: RateLimitItem, names: tuple[str, ...]) -> float:
    if await windows.hit(limit, *names):
        return 0.0
    ends = (await windows.get_window_stats(limit, *names)).reset_time
    return max(1.0, ends - time.time())


def _storage(redis: RedisConnection) -> Storage:
    from limits.aio.storage import RedisStorage

    # The library does not say that it takes a pool, though it documents it.
    pool: dict[str, object] = {"connection_pool": redis.pool}
    return RedisStorage(f"async+{redis.url}", implementation="redispy", key_prefix="rates", **pool)  # type: ignore[arg-type]
