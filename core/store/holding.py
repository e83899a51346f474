"""Ensures one holder at a time across all processes: *a row that represents the work* → held until released.

A holder that was killed is replaced after ``seconds``. One that was frozen for longer can no longer write for this work
when it wakes up (``lease.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from core.clock import Clock
from core.resilience.ending import end
from core.store.lease import Lease, LeaseLostError, writing_under
from core.store.truth import UNLEASED, Change, Collection, DuplicateError, Filter

log = logging.getLogger(__name__)

TIMES = 3
"""How many times a hold is renewed within its duration."""


@dataclass(frozen=True)
class Holder:
    """Acquires holds. ``owner`` names this process; ``seconds``: how long a hold lasts without renewal."""

    owner: str
    seconds: float
    clock: Clock

    @asynccontextmanager
    async def holding(self, rows: Collection, identifier: str) -> AsyncIterator[bool]:
        """Acquire the row for the block, and yield whether that succeeded. If the hold is lost inside the block, the
        block is cancelled and can write no more."""
        lease = Lease(self.seconds)
        if not await self._take(rows, identifier):
            yield False
            return
        prolonging = asyncio.create_task(self._prolong(rows, identifier, lease))
        try:
            with writing_under(lease):
                yield True
        except LeaseLostError:
            log.warning("%s is another process's by now", identifier)
        finally:
            await end([prolonging])
            await self._leave(rows, identifier)

    def left(self) -> Filter:
        """The rows that a dead process still held."""
        return {"lease_owner": {"$ne": None}, "lease_until": {"$lte": self.clock()}}

    async def _take(self, rows: Collection, identifier: str) -> bool:
        if not await rows.get(identifier):
            with contextlib.suppress(DuplicateError):
                await rows.insert_many([{"_id": identifier, "lease_owner": None, "lease_until": 0.0}])
        where = {"_id": identifier}
        return await rows.claim(where, owner=self.owner, seconds=self.seconds, now=self.clock()) is not None

    async def _leave(self, rows: Collection, identifier: str) -> None:
        """Release the hold. If that fails, the work is not undone; the hold simply expires."""
        try:
            await rows.update(identifier, UNLEASED, where={"lease_owner": self.owner})
        except Exception:
            log.warning("%s is held until its time is over", identifier, exc_info=True)

    async def _prolong(self, rows: Collection, identifier: str, lease: Lease) -> None:
        while True:
            await asyncio.sleep(self.seconds / TIMES)
            granted = lease.asked_again()
            change = Change(set={"lease_until": self.clock() + self.seconds})
            try:
                still = await rows.update(identifier, change, where={"lease_owner": self.owner})
            except Exception:
                log.warning("%s could not be held for longer", identifier, exc_info=True)
                continue
            if still:
                granted()
            else:
                lease.lose()
                return
