"""Checks whether a later version of the program took over the shared record store while this process was silent.

A later version migrates the data once no process has sent a heartbeat for ``ALIVE_SECONDS``. A process that was frozen
or disconnected for that long would otherwise write in its old format until its next heartbeat.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from core.store.migrations.stored import ALIVE_SECONDS
from core.store.migrations.upgrade import FORMAT

SILENT_SECONDS = ALIVE_SECONDS - 20.0
"""Seconds without an answer from the record store; the last heartbeat may be two intervals older than that answer."""
OVERTAKEN = 75
"""The exit code of a process whose records belong to a later version by now."""


def end_at_once() -> None:
    """Exit as in a power failure, because the pending writes of this process must not be written."""
    os._exit(OVERTAKEN)


class Silence:
    """The check for one connection. ``end`` is called if a later version has changed the data's format."""

    def __init__(self, end: Callable[[], None] = end_at_once, now: Callable[[], float] = time.monotonic) -> None:
        self._end = end
        self._now = now
        self._heard = now()

    @property
    def is_long(self) -> bool:
        """Whether the data's format must be checked before the next request to the record store."""
        return self._now() - self._heard > SILENT_SECONDS

    def ask(self) -> Callable[[], None]:
        """Call it before a request to the record store; call the returned function after the answer."""
        asked = self._now()

        def answered() -> None:
            self._heard = asked

        return answered

    def end_if_overtaken(self, noted: Mapping[str, object] | None) -> None:
        """End the process if a later version has changed the format. ``noted``: the format recorded in the record
        store."""
        if noted and int(str(noted["number"])) > FORMAT:
            self._end()
