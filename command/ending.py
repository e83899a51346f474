"""Ensures that a process ends: *seconds* → it has ended by then, whatever it waits for."""

from __future__ import annotations

import logging
import os
import threading

log = logging.getLogger(__name__)

OVERDUE = 1
"""The exit code of a process that did not end in time."""


def end_for_certain(seconds: float) -> None:
    """End the process after ``seconds`` even if a thread never returns. Other processes, or the next start, continue
    its
    work, as after a kill."""

    def leave() -> None:
        log.critical("not ended within %.0f s: what is left is dropped", seconds)
        os._exit(OVERDUE)

    overdue = threading.Timer(seconds, leave)
    overdue.daemon = True
    overdue.start()
