"""Ends a child process, such as a document reader, when its parent ends, and limits its memory.

The child is in a separate process group, so Ctrl+C and a service stop reach only the server, which then ends its child
processes. If the server itself crashes, only this module ends them.
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
"""Exit code of a child whose parent has ended (``EX_TEMPFAIL``)."""


def own_group() -> dict[str, Any]:
    """Arguments of ``subprocess`` that start a child in a separate group."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def end_group(pid: int) -> None:
    """Kill a child that was started with ``own_group``, and the processes it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends (Linux; elsewhere nothing happens)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def limit_memory(most: int) -> None:
    """Let the system refuse this process more than ``most`` bytes of memory, if it can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def watch(pipe: int) -> None:
    """End this process, with its group (see ``leave``), as soon as the parent closes the other end of ``pipe``.

    This works on all systems with pipes, and also if the parent ended before ``die_with_parent`` was called.
    """
    threading.Thread(target=_wait, args=(pipe,), daemon=True, name="watchdog").start()


def leave() -> None:
    """End this process immediately and silently, with its process group, if it or the process that forked it leads the
    group."""
    if sys.platform != "win32" and os.getpgrp() in (os.getpid(), os.getppid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(0, signal.SIGKILL)
    os._exit(ABANDONED)


def _wait(pipe: int) -> None:
    with contextlib.suppress(OSError):
        # Not through ``sys.stdin``: its lock, held by a waiting thread, would break the interpreter's shutdown.
        while os.read(pipe, 1):
            pass
    leave()
