"""Processes that begin with their imports made: a function and its arguments -> a process forked to run it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from multiprocessing.process import BaseProcess

IMPORTED = ["tests.faults.runner", "tests.servers.practised"]
"""All that any of them needs: they are forked from one process, which is there once and for all."""


def forked(target: Callable[..., None], *given: object) -> BaseProcess:
    """Not begun yet; it ends with this process at the latest."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(IMPORTED)
    return context.Process(target=target, args=given, daemon=True)
