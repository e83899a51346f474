"""The priority of this process: *how far it stands back* → others on the machine are served before it and its children.

To be called before threads are begun: on Linux each has a priority of its own, which it has from who began it.
"""

from __future__ import annotations

import os


def stand_back(nice: int) -> None:
    """``nice``: 0 to 19, as POSIX has it; a process that stands further back already stays there. Nothing on systems
    without it."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(nice, os.getpriority(os.PRIO_PROCESS, 0)))
