"""Bundles everything that processes share in Redis: *settings* → vectors, limits, announcements, jobs, progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.coordination.announcements import Announcements
from core.coordination.rate_windows import RateWindows
from core.coordination.redis import open_redis
from core.coordination.shared_progress import SharedProgress
from core.coordination.shared_vectors import SharedVectors
from core.resilience.dependencies import Observer
from core.settings import Settings

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch


class Coordination:
    """Holds everything that processes share through Redis. Without Redis, every part is local to this process, and
    ``vectors``, ``progress`` and ``redis`` are ``None``.

    >>> workbench.coordination.redis is None
    True
    """

    def __init__(self, settings: Settings, observe: Observer, origin: str) -> None:
        self.redis = open_redis(settings, observe)
        self.rate_windows = RateWindows(self.redis)
        self.vectors = SharedVectors(self.redis, settings.embedding_cache_days) if self.redis else None
        self.announcements = Announcements(self.redis, origin)
        self._shared_truth = settings.mongodb_database if settings.mongodb_uri else None
        self.progress = SharedProgress(self.redis) if self.redis and self._shared_truth else None
        self._dispatches: list[Dispatch] = []

    def dispatch(self, kind: str) -> Dispatch | None:
        """The dispatch of one kind of jobs; ``None`` if no other process shares the record store, or without Redis."""
        if self.redis is None or self._shared_truth is None:
            return None
        from core.coordination.dispatch import Dispatch

        self._dispatches.append(Dispatch(self.redis, self._shared_truth, kind))
        return self._dispatches[-1]

    def tell_of_change(self) -> None:
        """Announce that settings or accounts were changed here."""
        self.announcements.tell("changed", "settings")

    async def start(self) -> None:
        await self.announcements.start()
        if self.progress:
            await self.progress.start()

    async def stop(self) -> None:
        await self.announcements.stop()
        if self.progress:
            await self.progress.stop()
        for each in self._dispatches:
            await each.close()
        if self.redis:
            await self.redis.close()
