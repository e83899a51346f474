"""Rebuilds the index in the background: start, pause, continue, roll back, or keep the new index."""

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
    """One rebuild at a time; it continues even if the user who started it leaves."""

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
        """Start a rebuild, or continue one after a pause or a crash. Does nothing while one is running."""
        if not self.active:
            self._task = asyncio.create_task(self._run(), name="reindex")

    async def go_on(self) -> None:
        """Continue a rebuild that a crash interrupted, unless it was paused."""
        state = await self._reindexing.status()
        if state is not None and state.state == "running":
            self.begin()

    async def take_over(self) -> None:
        """Continue a rebuild whose process was stopped or crashed, unless it was paused."""
        if not self.active and await self._reindexing.is_left():
            self.begin()

    async def pause(self) -> None:
        """Pause after the current batch. The finished part is kept, and searches continue to use the active index."""
        await self._reindexing.pause()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def roll_back(self) -> None:
        """Switch back to the previous index. Raises ``PalimpsestError`` if a rebuild is running, or no previous index
        is kept."""
        self._refuse_while_active()
        await self._reindexing.roll_back()

    async def promote(self) -> bool:
        """Keep the active index and delete the one kept for a rollback; returns whether there was one.

        Raises ``PalimpsestError`` if a rebuild is running.
        """
        self._refuse_while_active()
        return await self._reindexing.discard_old(now=True)

    async def stop(self) -> None:
        """Stop the rebuild; the next start of the workbench continues it."""
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
