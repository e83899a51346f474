"""Ensures that a process ends within a number of seconds, even if it is still waiting for something."""

from __future__ import annotations

import logging
import os
import threading

log = logging.getLogger(__name__)

OVERDUE = 1
"""The exit code of a process that did not end in time."""


def end_for_certain(seconds: float) -> None:
    """End the process after ``seconds`` even if a thread never returns. Its unfinished work is continued by other
    processes, or after the next start, as if the process had been killed."""

    def leave() -> None:
        log.critical("not ended within %.0f s: what is left is dropped", seconds)
        os._exit(OVERDUE)

    overdue = threading.Timer(seconds, leave)
    overdue.daemon = True
    overdue.start()
