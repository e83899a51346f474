"""Keeps this process's latest logged errors, for the diagnosis page."""

from __future__ import annotations

import logging
from collections import deque

from core.clock import Clock
from core.operations.records import LoggedError
from core.runs.current import current_run

MOST = 100
LONGEST = 300


class RecentErrors(logging.Handler):
    """A log handler that collects errors from ``start`` to ``stop``."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(logging.ERROR)
        self._clock = clock
        self._kept: deque[LoggedError] = deque(maxlen=MOST)

    def start(self) -> None:
        logging.getLogger().addHandler(self)

    def stop(self) -> None:
        logging.getLogger().removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        kind = f" ({record.exc_info[0].__name__})" if record.exc_info and record.exc_info[0] else ""
        text = f"{record.getMessage()}{kind}"[:LONGEST]
        self._kept.append(LoggedError(at=self._clock(), module=record.name, text=text, run_id=current_run()))

    def since(self, moment: float) -> list[LoggedError]:
        """The errors since a time, the latest last."""
        return [each for each in self._kept if each.at >= moment]
