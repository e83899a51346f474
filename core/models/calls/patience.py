"""Estimates how long a model needs for a small task, from its last calls."""

from __future__ import annotations

import math
from collections import deque

MOST_CALLS = 20
"""Number of last calls that the estimate uses."""
SHARE = 0.95
"""The estimate is the time within which this share of the last calls ended."""
SPARE = 1.5
"""Factor on the estimate, because calls differ in length."""
GROWTH = 2.0
"""How many times its deadline a late call is assumed to have needed."""


class Patience:
    """The time to wait for one model's small tasks, in seconds, between ``least`` and ``most``.

    A late call lengthens it only after the model has finished a later call: a model that hangs has not shown that it
    needs more time.

    >>> patience = Patience(least=10, most=60)
    >>> patience.late(10)
    >>> patience.seconds
    10
    >>> patience.ended()
    >>> patience.seconds
    30.0
    """

    def __init__(self, least: float, most: float) -> None:
        self._least = least
        self._most = max(least, most)
        self._took: deque[float] = deque(maxlen=MOST_CALLS)
        self._late: list[float] = []

    @property
    def seconds(self) -> float:
        if not self._took:
            return self._least
        ordered = sorted(self._took)
        needed = ordered[math.ceil(SHARE * len(ordered)) - 1]
        return min(self._most, max(self._least, SPARE * needed))

    def ended(self, seconds: float | None = None) -> None:
        """Record a finished call; ``seconds`` is its duration if it was a small task."""
        self._took.extend(self._late)
        self._late.clear()
        if seconds is not None:
            self._took.append(seconds)

    def late(self, waited: float) -> None:
        """Record a small task that had not ended after ``waited`` seconds."""
        self._late = [GROWTH * waited]
