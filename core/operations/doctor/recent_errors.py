"""The last errors of this process: what the log was told, kept for who asks what happened."""

from __future__ import annotations

import logging
from collections import deque
from typing import NamedTuple

from core.clock import Clock

MOST = 20
LONGEST = 300


class LoggedError(NamedTuple):
    at: float
    module: str
    text: str


class RecentErrors(logging.Handler):
    """Hears of errors from ``start`` to ``stop``."""

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
        self._kept.append(LoggedError(self._clock(), record.name, f"{record.getMessage()}{kind}"[:LONGEST]))

    def since(self, moment: float) -> list[LoggedError]:
        """The latest last."""
        return [each for each in self._kept if each.at >= moment]
