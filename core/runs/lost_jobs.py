"""Recovers jobs lost with a process or with Redis: requeues dead processes' jobs, announces waiting jobs again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.clock import Clock
from core.store.truth import UNLEASED, Collection, Json

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

WAITS = UNLEASED.also(state="pending")
"""The change that queues a job again when no process works on it any more."""
TELLING_SECONDS = 1.0
"""Seconds during which the message for a new job may still be on its way."""
LOOKS_APART = 1.5
"""Seconds between two checks, counted over all processes."""
MOST_WAITING = 1000
"""Maximum number of jobs announced again in one check."""


def waiting(kind: str) -> Json:
    return {"kind": kind, "state": "pending"}


class LostJobs:
    """Recovers the jobs of one ``kind``; without a ``dispatch`` no job is announced."""

    def __init__(self, jobs: Collection, kind: str, clock: Clock, dispatch: Dispatch | None) -> None:
        self._jobs = jobs
        self._kind = kind
        self._clock = clock
        self._dispatch = dispatch

    async def look(self, here: Iterable[str]) -> bool:
        """Check once; returns whether workers can be notified. Only one of several processes checks at a time. Jobs
        running ``here`` (ids) are not lost, even if this process was frozen for longer than a lease."""
        untold = await self._dispatch.untold() if self._dispatch else None
        if self._dispatch is None or untold is None:
            await self._requeue(here)
            return False
        if await self._dispatch.first_within(LOOKS_APART):
            await self._requeue(here)
            if untold == 0:
                await self._tell_again(self._dispatch)
        return True

    async def _requeue(self, here: Iterable[str]) -> None:
        over = {"lease_until": {"$lt": self._clock()}, "_id": {"$nin": list(here)}}
        await self._jobs.update_where({"kind": self._kind, "state": "processing", **over}, WAITS)

    async def _tell_again(self, dispatch: Dispatch) -> None:
        """Announce waiting jobs again. While messages are left, workers are busy or will be notified; only without
        messages can there be unannounced jobs."""
        lost = {**waiting(self._kind), "created_at": {"$lt": self._clock() - TELLING_SECONDS}}
        for row in await self._jobs.find(lost, fields=["_id"], limit=MOST_WAITING):
            await dispatch.tell(str(row["_id"]))
