"""Checks whether a worker may still write: *its lease* → its writes pass, or are refused after the lease ends.

A worker that was frozen, or disconnected from the record store, for longer than its lease will find that another worker
has its job. Its pending writes must then be refused.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar

from core.resilience.within import within


class LeaseLostError(asyncio.CancelledError):
    """Another worker has the job by now. It ends like a cancelled job, so that no error handler undoes anything."""


class Lease:
    """A lease measured only by this machine's clock, which a frozen process can read before it contacts any server."""

    def __init__(self, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._now = now
        self._until = now() + seconds

    @property
    def held(self) -> bool:
        return self._now() < self._until

    def asked_again(self) -> Callable[[], None]:
        """Call it before requesting a renewal from the record store; call the returned function when that was
        granted."""
        until = self._now() + self._seconds

        def granted() -> None:
            self._until = until

        return granted

    def lose(self) -> None:
        self._until = self._now()


_WRITING: ContextVar[Lease | None] = ContextVar("the lease under which is written", default=None)


def writing_under(lease: Lease) -> AbstractContextManager[object]:
    """All writes inside, including those of tasks started inside, need ``lease``."""
    return within(_WRITING, lease)


def refuse_late_write() -> None:
    """Raises ``LeaseLostError`` if the current lease has ended; writes without a lease are allowed."""
    lease = _WRITING.get()
    if lease is not None and not lease.held:
        raise LeaseLostError
