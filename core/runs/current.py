"""Which run is being worked on here: for whoever writes the log."""

from __future__ import annotations

from contextlib import AbstractContextManager
from contextvars import ContextVar

from core.resilience.within import within

_current: ContextVar[str | None] = ContextVar("run", default=None)


def work_on(run_id: str) -> AbstractContextManager[object]:
    """All that is begun within is work on this run, in tasks started within too."""
    return within(_current, run_id)


def current_run() -> str | None:
    """The id of the run that is worked on here, if one is."""
    return _current.get()
