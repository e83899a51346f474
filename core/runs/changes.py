"""Notifies waiting tasks of changes by key: one task reports a change → the tasks that wait for the key continue."""

from __future__ import annotations

import asyncio

from core.lru_cache import LruCache

MOST = 10_000
"""Maximum number of keys whose last change is remembered; the oldest is forgotten first."""


class Changes:
    """Tracks changes for one process and one event loop; waiting tasks also check from time to time for changes by
    other processes."""

    def __init__(self, most: int = MOST) -> None:
        self._changes = 0
        self._latest: LruCache[str, int] = LruCache(most)
        self._waiting: dict[str, asyncio.Event] = {}

    def version_of(self, key: str) -> int:
        """The version of ``key``. It changes with each change of the key, and also when the key is forgotten."""
        return self._latest.get(key, 0)

    def notify(self, key: str) -> None:
        self._changes += 1
        self._latest[key] = self._changes
        if waiting := self._waiting.pop(key, None):
            waiting.set()

    async def wait(self, key: str, seen: int, seconds: float) -> float:
        """Return when ``key`` has changed since ``version_of(key)`` was ``seen``, or at the timeout; returns the
        seconds waited."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(seconds):
                while self.version_of(key) == seen:
                    await self._waiting.setdefault(key, asyncio.Event()).wait()
        except TimeoutError:
            pass
        return loop.time() - began
