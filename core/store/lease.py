"""Whether a worker may still write: *its lease* → writes of its context go through, or are refused once it is over.

A worker that was frozen, or cut off from the truth, for longer than its lease finds its work with another one when it
wakes up. What it has not written yet must not be written then.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from core.resilience.within import within


class LeaseLostError(asyncio.CancelledError):
    """The work is another's by now. It ends like a cancelled one, so that no handler of failures undoes anything."""


class Lease:
    """By the clock of this machine alone, which a frozen process can read before it reaches anybody."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._until = now() + seconds

    @property
    def held(self) -> bool:
        return self._now() < self._until

    def asked_again(self) -> Callable[[], None]:
        """To be called before the truth is asked to prolong it; what it gives is called when that was granted."""
        until = self._now() + self._seconds

        def granted() -> None:
            self._until = until

        return granted

    def lose(self) -> None:
        self._until = self._now()


_WRITING: ContextVar[Lease | None] = ContextVar("the lease under which is written", default=None)


def writing_under(lease: Lease) -> AbstractContextManager[object]:
    """All that is written within, in tasks that are begun within too, needs ``lease``."""
    return within(_WRITING, lease)


def refuse_late_write() -> None:
    """Raises ``LeaseLostError`` when the lease under which is written is over; who writes under none is free to."""
    lease = _WRITING.get()
    if lease is not None and not lease.held:
        raise LeaseLostError
