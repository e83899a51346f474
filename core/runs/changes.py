"""Changes by key: who changes something says so → who waits for it goes on."""

from __future__ import annotations

import asyncio
from collections import defaultdict


class Changes:
    """Of one process and one event loop; whoever waits also looks for itself from time to time, for what others did."""

    def __init__(self) -> None:
        self._versions: defaultdict[str, int] = defaultdict(int)
        self._waiting: dict[str, asyncio.Event] = {}

    def version_of(self, key: str) -> int:
        """Counts the changes of ``key``."""
        return self._versions[key]

    def notify(self, key: str) -> None:
        self._versions[key] += 1
        if waiting := self._waiting.pop(key, None):
            waiting.set()

    async def wait(self, key: str, seen: int, seconds: float) -> float:
        """Return when ``key`` has changed since ``version_of(key)`` was ``seen``, or in time; the seconds it took."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(seconds):
                while self._versions[key] == seen:
                    await self._waiting.setdefault(key, asyncio.Event()).wait()
        except TimeoutError:
            pass
        return loop.time() - began
