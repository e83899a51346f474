"""Which run is being worked on here: for whoever writes the log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_current: ContextVar[str | None] = ContextVar("run", default=None)


@contextmanager
def work_on(run_id: str) -> Iterator[None]:
    """All that is begun within is work on this run, in tasks started within too."""
    token = _current.set(run_id)
    try:
        yield
    finally:
        _current.reset(token)


def current_run() -> str | None:
    """The id of the run that is worked on here, if one is."""
    return _current.get()
