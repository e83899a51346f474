"""Limits how often something may happen within a moving window: *a limit, a key* → allowed, or the seconds to wait.

All processes count together in Redis, and each also counts locally. So while Redis is unavailable, or after it was
emptied, the limit of a single process still applies.
"""

from __future__ import annotations

import time

from limits import RateLimitItem
from limits.aio.storage import MemoryStorage, Storage
from limits.aio.strategies import MovingWindowRateLimiter

from core.coordination.redis import RedisConnection


class RateWindows:
    """Counts attempts and refuses those above a limit. ``redis`` is ``None`` if there is only one process."""

    def __init__(self, redis: RedisConnection | None = None) -> None:
        self._redis = redis
        self._here = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None

    async def seconds_to_wait(self, limit: RateLimitItem, *names: str) -> float:
        """0 if another attempt is allowed; it is then counted. Otherwise the seconds to wait; refused attempts are not
        counted."""
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

    # The library's type hints do not accept a pool, although its documentation does.
    pool: dict[str, object] = {"connection_pool": redis.pool}
    return RedisStorage(f"async+{redis.url}", implementation="redispy", key_prefix="rates", **pool)  # type: ignore[arg-type]
