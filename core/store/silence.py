"""Whether a later version took over while this process was silent: *a shared truth* → asked before anything goes on.

A later version changes the data once nobody has given a sign of life for ``ALIVE_SECONDS``. A process that was frozen
or cut off for that long would otherwise write in its own format until its next sign.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping

from core.store.migrations.stored import ALIVE_SECONDS
from core.store.migrations.upgrade import FORMAT

SILENT_SECONDS = ALIVE_SECONDS - 20.0
"""Without a word from the truth; the last sign of life may be two signs older than that word."""
OVERTAKEN = 75
"""The exit code of a process whose records are of a later version by now."""


def end_at_once() -> None:
    """As a power cut would: what this process still had to write is what must not be written."""
    os._exit(OVERTAKEN)


class Silence:
    """Of one connection. ``end`` is called when a later version has changed the format of the data."""

    def __init__(self, end: Callable[[], None] = end_at_once, now: Callable[[], float] = time.monotonic) -> None:
        self._end = end
        self._now = now
        self._heard = now()

    @property
    def is_long(self) -> bool:
        """Whether the truth has to be asked for its format before it is asked for anything else."""
        return self._now() - self._heard > SILENT_SECONDS

    def ask(self) -> Callable[[], None]:
        """To be called before the truth is asked for anything; what it gives is called when it has answered."""
        asked = self._now()

        def answered() -> None:
            self._heard = asked

        return answered

    def end_if_overtaken(self, noted: Mapping[str, object] | None) -> None:
        """``noted``: what the truth says of its format."""
        if noted and int(str(noted["number"])) > FORMAT:
            self._end()
