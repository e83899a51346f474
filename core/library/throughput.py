"""Measures the throughput of the queue: its content at two moments → bytes read and passages embedded per second.

A document that is read within half a second is too short to measure, but with a thousand of them users still need a
time estimate. So all users' jobs that have left the queue since the last measurement are counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.library.records import BYTES_A_VECTOR
from core.runs.jobs import JobKind, Queued

BETWEEN_LOOKS = (5.0, 30.0)
"""Shortest and longest time between two measurements in seconds: earlier too little has changed, later the queue may
have been empty in between."""
FEWEST = 5
"""Number of jobs that must have left the queue for a measurement; a few large jobs are measured one by one instead."""


class Throughput:
    """Measures throughput across all users."""

    def __init__(self) -> None:
        self._at = -math.inf
        self._waited: frozenset[tuple[JobKind, float, int]] = frozenset()
        self.bytes: float | None = None
        self.passages: float | None = None

    def look(self, now: float, queued: Sequence[Queued]) -> None:
        """Measure. ``queued`` is all that waits or is being processed; ``now`` is in seconds."""
        soonest, latest = BETWEEN_LOOKS
        seconds = now - self._at
        if seconds < soonest:
            return
        waiting = frozenset((each.kind, each.due, each.size) for each in queued)
        gone = self._waited - waiting if seconds <= latest else frozenset()
        self.bytes = _rate((size for kind, _, size in gone if kind == "reading"), seconds)
        passages = _rate((size for kind, _, size in gone if kind == "embedding"), seconds)
        self.passages = passages and passages / BYTES_A_VECTOR
        self._at, self._waited = now, waiting


def _rate(sizes: Iterable[int], seconds: float) -> float | None:
    done = list(sizes)
    return sum(done) / seconds if len(done) >= FEWEST else None
