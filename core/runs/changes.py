"""Changes by key: who changes something says so → who waits for it goes on."""

from __future__ import annotations

import asyncio

from core.lru_cache import LruCache

MOST = 10_000
"""Keys whose last change is known; the one that changed longest ago is forgotten first."""


class Changes:
    """Of one process and one event loop; whoever waits also looks for itself from time to time, for what others did."""

    def __init__(self, most: int = MOST) -> None:
        self._changes = 0
        self._latest: LruCache[str, int] = LruCache(most)
        self._waiting: dict[str, asyncio.Event] = {}

    def version_of(self, key: str) -> int:
        """Another one after each change of ``key``, and after it was forgotten, which is taken for a change."""
        return self._latest.get(key, 0)

    def notify(self, key: str) -> None:
        self._changes += 1
        self._latest[key] = self._changes
        if waiting := self._waiting.pop(key, None):
            waiting.set()

    async def wait(self, key: str, seen: int, seconds: float) -> float:
        """Return when ``key`` has changed since ``version_of(key)`` was ``seen``, or in time; the seconds it took."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(seconds):
                while self.version_of(key) == seen:
                    await self._waiting.setdefault(key, asyncio.Event()).wait()
        except TimeoutError:
            pass
        return loop.time() - began
