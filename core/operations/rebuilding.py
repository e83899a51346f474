"""The index built anew in the background: begun, paused, gone on with, gone back from, kept for good."""

from __future__ import annotations

import asyncio
import logging

from core.errors import fail
from core.memory.maintenance.reindex import Reindex
from core.memory.memory import Memory
from core.operations.records import RebuildingState
from core.resilience.ending import end

log = logging.getLogger(__name__)


class Rebuilding:
    """One at a time; whoever asked for it may leave."""

    def __init__(self, memory: Memory, reindexing: Reindex) -> None:
        self._memory = memory
        self._reindexing = reindexing
        self._task: asyncio.Task[None] | None = None

    @property
    def active(self) -> bool:
        return self._task is not None and not self._task.done()

    async def status(self) -> RebuildingState:
        return RebuildingState(active=self.active, last=await self._reindexing.status())

    def begin(self) -> None:
        """Begin, or go on where a pause or a crash has left off; nothing more while it is going on."""
        if not self.active:
            self._task = asyncio.create_task(self._run(), name="reindex")

    async def go_on(self) -> None:
        """Go on with what a crash has left, unless it was paused."""
        state = await self._reindexing.status()
        if state is not None and state.state == "running":
            self.begin()

    async def take_over(self) -> None:
        """Go on where the process that was at it was stopped or died, unless it was paused."""
        if not self.active and await self._reindexing.is_left():
            self.begin()

    async def pause(self) -> None:
        """After the batch under way; what is built stays, and searches go to the index that serves."""
        await self._reindexing.pause()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def roll_back(self) -> None:
        """Serve the index before again. Raises ``PalimpsestError``: it is being built, or nothing is kept."""
        self._refuse_while_active()
        await self._reindexing.roll_back()

    async def promote(self) -> bool:
        """Keep the index that serves for good: the one kept to go back to is removed; whether there was one.

        Raises ``PalimpsestError``: it is being built."""
        self._refuse_while_active()
        return await self._reindexing.discard_old(now=True)

    async def stop(self) -> None:
        """The next start goes on."""
        if self._task is not None:
            await end([self._task])

    def _refuse_while_active(self) -> None:
        if self.active:
            raise fail("validation", "operations.rebuilding.active")

    async def _run(self) -> None:
        try:
            await self._memory.reindex()
        except Exception:
            log.exception("the index could not be built anew; it can be gone on with")
