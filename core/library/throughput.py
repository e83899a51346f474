"""How much of the queue is done in a second: what waits at two moments → bytes read and passages understood a second.

A document that is read within half a second says nothing of how long its reading takes; of a thousand such a person
still wants to know when they will be there. So what of everybody's jobs is gone since the last look is counted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from core.library.records import BYTES_A_VECTOR
from core.runs.jobs import JobKind, Queued

BETWEEN_LOOKS = (5.0, 30.0)
"""Seconds: sooner too little has changed, and later the queue may have stood empty meanwhile."""
FEWEST = 5
"""Jobs that must have gone: a few large ones are measured each by itself."""


class Throughput:
    """Of all people together."""

    def __init__(self) -> None:
        self._at = -math.inf
        self._waited: frozenset[tuple[JobKind, float, int]] = frozenset()
        self.bytes: float | None = None
        self.passages: float | None = None

    def look(self, now: float, queued: Sequence[Queued]) -> None:
        """``queued`` is all that waits or is being done ``now``, in seconds."""
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
