"""Measures how fast a kind of work is done: *what is left of each job at two moments* → units per second.

It counts the work of all jobs and users on one clock, with the gaps between jobs, so it holds for a thousand short
files as for one long one. Recent work counts more: files differ, and reading and embedding slow each other down.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping

SHORTEST, LONGEST = 1.0, 60.0
"""Shortest and longest time between two measurements in seconds: earlier nothing has changed, later the queue may have
been empty in between."""
MEMORY = 60.0
"""Seconds after which a measurement has lost 63% of its weight."""
LEAST = 5.0
"""Seconds of work before the first rate is given."""


class Throughput:
    """Measures one kind of work."""

    def __init__(self) -> None:
        self._at = -math.inf
        self._left: Mapping[Hashable, float] = {}
        self._units = 0.0
        self._seconds = 0.0

    @property
    def rate(self) -> float | None:
        """Units per second, or ``None`` as long as too little was done to measure it."""
        return self._units / self._seconds if self._seconds >= LEAST and self._units > 0 else None

    def look(self, now: float, left: Mapping[Hashable, float]) -> None:
        """Measure. ``left`` are the units left of each job that waits or runs; a job that is gone is done. ``now`` is
        in seconds."""
        seconds = now - self._at
        if seconds < SHORTEST:
            return
        if self._left and seconds <= LONGEST:
            done = sum(max(units - left.get(job, 0.0), 0.0) for job, units in self._left.items())
            kept = math.exp(-seconds / MEMORY)
            self._units = self._units * kept + done
            self._seconds = self._seconds * kept + seconds
        self._at, self._left = now, dict(left)
