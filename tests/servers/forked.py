"""Processes that start with their imports loaded: a function and its arguments -> a process forked to run it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess

IMPORTED = ["tests.faults.runner", "tests.servers.practised"]
"""All modules that any of them needs: they are forked from one process, which is started once."""


def forked(target: Callable[..., None], *given: object) -> BaseProcess:
    """A process that is not started yet; it ends with this process at the latest."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    return context.Process(target=target, args=given, daemon=True)
