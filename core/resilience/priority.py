"""Lowers this process's CPU priority, so that other processes on the machine come before it and its children.

Call it before threads are started: on Linux each thread has its own priority, inherited from the thread that started
it.
"""

from __future__ import annotations

import os


def stand_back(nice: int) -> None:
    """Set the process's ``nice`` value: 0 to 19, as in POSIX. A process that already has a higher value keeps it. Does
    nothing on systems without ``nice``."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
