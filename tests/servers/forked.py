"""Runs a function with its arguments in a forked process that has already imported its modules."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess

IMPORTED = ["tests.faults.runner", "tests.servers.practised"]
"""All modules that any forked process needs. All are forked from one process, which is started once."""


def forked(target: Callable[..., None], *given: object) -> BaseProcess:
    """Returns a process that is not started yet; it ends when the test process ends, or earlier."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    return context.Process(target=target, args=given, daemon=True)
