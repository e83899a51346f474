"""Provides the id of the current run, for log messages."""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar

from core.resilience.within import within

_current: ContextVar[str | None] = ContextVar("run", default=None)


def work_on(run_id: str) -> AbstractContextManager[object]:
    """All code inside the context, including tasks started in it, counts as work on this run."""
    return within(_current, run_id)


def current_run() -> str | None:
    """The id of the current run, if there is one."""
    return _current.get()
