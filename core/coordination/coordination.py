"""All that processes share in Redis, as one object: *settings* → vectors, limits, announcements, kept going."""

from __future__ import annotations

from core.coordination.announcements import Announcements
from core.coordination.rate_windows import RateWindows
from core.coordination.redis import open_redis
from core.coordination.shared_vectors import SharedVectors
from core.resilience.dependencies import Observer
from core.settings import Settings


class Coordination:
    """Without a Redis every part of it is this process's own, and ``vectors`` and ``redis`` are none."""

    def __init__(self, settings: Settings, observe: Observer, origin: str) -> None:
        self.redis = open_redis(settings, observe)
        self.rate_windows = RateWindows(self.redis)
        self.vectors = SharedVectors(self.redis, settings.embedding_cache_days) if self.redis else None
        self.announcements = Announcements(self.redis, origin)

    def tell_of_change(self) -> None:
        """Settings or accounts were changed here."""
        self.announcements.tell("changed", "settings")

    async def start(self) -> None:
        await self.announcements.start()

    async def stop(self) -> None:
        await self.announcements.stop()
        if self.redis:
            await self.redis.close()
