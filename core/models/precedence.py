"""Questions before background work: who answers one holds the precedence, who computes vectors lets it pass."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType


class Precedence:
    """``with precedence:`` while a question is answered; it may be held many times over. For one event loop."""

    def __init__(self) -> None:
        self._held = 0
        self._over = asyncio.Event()

    def __enter__(self) -> None:
        if not self._held:
            self._over = asyncio.Event()
        self._held += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held -= 1
        if not self._held:
            self._over.set()

    @property
    def held(self) -> bool:
        return self._held > 0

    async def passed(self, most: float) -> float:
        """Wait until no question is being answered, ``most`` seconds at most; how many it took."""
        if not self._held or most <= 0:
            return 0.0
        began = time.monotonic()
        try:
            async with asyncio.timeout(most):
                await self._over.wait()
        except TimeoutError:
            return most
        return time.monotonic() - began
