"""Runs one task at a time for each user across all processes: *user and task* → the task's result.

A task waits for others in this process and, with a holder, in every other process. If a process is killed or frozen
while it runs its task, others wait until its hold expires.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from weakref import WeakValueDictionary

from core.errors import fail
from core.ids import id_of
from core.store.holding import Holder
from core.store.scope import ScopedTruth
from core.store.truth import Truth

T = TypeVar("T")
AGAIN_SECONDS = 0.1
"""Seconds between checks whether another process has finished."""


class MutualExclusion:
    """``holds``: the collection that shows each process which tasks the others are running. Without a ``holder`` there
    is only one process. ``seconds``: how long to wait for other processes."""

    def __init__(self, truth: Truth, holds: str, holder: Holder | None, seconds: float) -> None:
        self._truth = truth
        self._holds = holds
        self._holder = holder
        self._seconds = seconds
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, user_id: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run ``work``. It is restarted if another process took over its hold before it finished, so it must be
        repeatable.

        Raises:
            PalimpsestError (timeout): other processes did not finish.
        """
        async with self._turns.setdefault(user_id, asyncio.Lock()):
            if self._holder is None:
                return await work()
            return await self._among_processes(self._holder, user_id, work)

    async def _among_processes(self, holder: Holder, user_id: str, work: Callable[[], Awaitable[T]]) -> T:
        rows = ScopedTruth(self._truth, user_id).collection(self._holds)
        ends = asyncio.get_running_loop().time() + self._seconds
        while asyncio.get_running_loop().time() < ends:
            async with holder.holding(rows, id_of("hold", user_id)) as held:
                if held:
                    return await work()
            await asyncio.sleep(AGAIN_SECONDS)
        raise fail("timeout", "store.mutual_exclusion.waited")
