"""Ends a process that was told to end: *seconds* → it has ended by then, whatever it waits for."""

from __future__ import annotations

import logging
import os
import threading

log = logging.getLogger(__name__)

OVERDUE = 1
"""Exit code of a process that did not end in time."""


def end_for_certain(seconds: float) -> None:
    """Ends the process because one thread that does not return would keep it running. Unfinished work continues on
    another process or at the next start, as after a kill."""

    def leave() -> None:
        log.critical("not ended within %.0f s: what is left is dropped", seconds)
        os._exit(OVERDUE)

    overdue = threading.Timer(seconds, leave)
    overdue.daemon = True
    overdue.start()
