"""Ends a child process with its parent, and bounds it: a reader whose server is gone has nobody to read for.

The child is in a process group of its own, so that Ctrl+C and a service's stop reach the server alone, which then
ends its readers; the price is that nobody else would.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from typing import Any

_PR_SET_PDEATHSIG = 1

ABANDONED = 75
"""Exit code of a child whose parent has gone (``EX_TEMPFAIL``)."""


def own_group() -> dict[str, Any]:
    """Arguments of ``subprocess`` that start a child in a group of its own."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def end_group(pid: int) -> None:
    """Kill a child that was started with ``own_group``, and what it has started itself."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends (Linux; elsewhere nothing happens)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def limit_memory(most: int) -> None:
    """Have the system refuse this process more than ``most`` bytes of memory, where it can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def watch(pipe: int) -> None:
    """End this process, with its group (see ``leave``), as soon as the parent lets go of the other end of ``pipe``.

    It works wherever pipes do, and also when the parent died before ``die_with_parent`` was called.
    """
    threading.Thread(target=_wait, args=(pipe,), daemon=True, name="watchdog").start()


def leave() -> None:
    """End at once and quietly, and with it the group that it leads or was forked by the leader of."""
    if sys.platform != "win32" and os.getpgrp() in (os.getpid(), os.getppid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(0, signal.SIGKILL)
    os._exit(ABANDONED)


def _wait(pipe: int) -> None:
    with contextlib.suppress(OSError):
        # Not through ``sys.stdin``: its lock, held by a thread that waits, would break the interpreter's own end.
        while os.read(pipe, 1):
            pass
    leave()
