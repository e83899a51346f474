"""Collects statistics of tool calls since the process started, for the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.errors import Category
from core.tools.records import ToolFigures

WINDOW = 512
"""How many of a tool's latest calls are used for percentiles."""


@dataclass
class _Tally:
    figures: ToolFigures = field(default_factory=ToolFigures)
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))


Told = Callable[[str, str, float | None], None]
"""A callback: a tool's name, the event, and the call's milliseconds, if there was a call."""


class ToolStatistics:
    """Collects statistics. Recording never fails and takes microseconds; call it only from the event loop. ``told`` is
    called with each event too."""

    def __init__(self, told: Told = lambda *_: None) -> None:
        self._tallies: dict[str, _Tally] = {}
        self._told = told

    def of(self, name: str) -> ToolFigures:
        tally = self._tallies.get(name, _Tally())
        if not tally.latencies:
            return tally.figures.model_copy(deep=True)
        p50, p95 = np.percentile(tally.latencies, (50, 95))
        return tally.figures.model_copy(deep=True, update={"p50": float(p50), "p95": float(p95)})

    def called(self, name: str, milliseconds: float, failure: Category | None, *, found: bool = True) -> None:
        """Record an attempt and how it ended."""
        tally = self._tally(name)
        figures = tally.figures
        figures.calls += 1
        figures.last = milliseconds
        tally.latencies.append(milliseconds)
        self._told(name, failure or "ok", milliseconds)
        if failure is not None:
            figures.failed[failure] = figures.failed.get(failure, 0) + 1
            return
        figures.succeeded += 1
        figures.found_nothing += not found

    def refused(self, name: str, failure: Category) -> None:
        """Record an attempt that was not made, because the breaker is open or an argument is missing."""
        self._told(name, failure, None)
        figures = self._tally(name).figures
        figures.failed[failure] = figures.failed.get(failure, 0) + 1

    def repaired(self, name: str) -> None:
        self._tally(name).figures.repaired += 1
        self._told(name, "repaired", None)

    def fell_back(self, name: str) -> None:
        """Record that a fallback was tried for this tool."""
        self._tally(name).figures.fell_back += 1
        self._told(name, "fell_back", None)

    def looped(self, name: str) -> None:
        self._tally(name).figures.loops += 1
        self._told(name, "looped", None)

    def hebrew(self, name: str, *, found: bool) -> None:
        """Record a call in Hebrew, and whether it found anything."""
        figures = self._tally(name).figures
        figures.hebrew += 1
        figures.hebrew_found += found
        self._told(name, "hebrew_found" if found else "hebrew", None)

    def _tally(self, name: str) -> _Tally:
        return self._tallies.setdefault(name, _Tally())
