"""Jobs lost with a process or with Redis: *those of one kind* → the dead's wait again, what waits is told again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from core.clock import Clock
from core.store.truth import UNLEASED, Collection, Json

if TYPE_CHECKING:
    from core.coordination.dispatch import Dispatch

WAITS = UNLEASED.also(state="pending")
"""What a job becomes that nobody works on any more."""
TELLING_SECONDS = 1.0
"""Within which the message of a new job may be on its way."""
LOOKS_APART = 1.5
"""Seconds between two looks of all processes together."""
MOST_WAITING = 1000
"""Jobs of which is told again at once."""


def waiting(kind: str) -> Json:
    return {"kind": kind, "state": "pending"}


class LostJobs:
    """``kind`` of the ``jobs``; without a ``dispatch`` nobody is told of any."""

    def __init__(self, jobs: Collection, kind: str, clock: Clock, dispatch: Dispatch | None) -> None:
        self._jobs = jobs
        self._kind = kind
        self._clock = clock
        self._dispatch = dispatch

    async def look(self, here: Iterable[str]) -> bool:
        """Whether workers are told of jobs. Of several processes one looks at a time. What goes on ``here`` (ids) is
        not lost: this process may have stood still for longer than a lease."""
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
        """While messages are left workers are busy, or will be told: only where none is can jobs wait of which nobody
        was."""
        lost = {**waiting(self._kind), "created_at": {"$lt": self._clock() - TELLING_SECONDS}}
        for row in await self._jobs.find(lost, fields=["_id"], limit=MOST_WAITING):
            await dispatch.tell(str(row["_id"]))
