"""How each tool has done since the process began: *ends of calls* → figures for the page."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from core.errors import Category
from core.tools.records import ToolFigures

WINDOW = 512
"""Calls of one tool that percentiles are taken over."""


@dataclass
class _Tally:
    figures: ToolFigures = field(default_factory=ToolFigures)
    latencies: deque[float] = field(default_factory=lambda: deque(maxlen=WINDOW))


Told = Callable[[str, str, float | None], None]
"""A tool's name, what happened, and the milliseconds of a call that was made."""


class ToolStatistics:
    """Recording never fails and takes microseconds; call it from the event loop alone. ``told`` hears of it, too."""

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
        """One attempt ended."""
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
        """An attempt was not made, because the tool is left alone or lacks an argument."""
        self._told(name, failure, None)
        figures = self._tally(name).figures
        figures.failed[failure] = figures.failed.get(failure, 0) + 1

    def repaired(self, name: str) -> None:
        self._tally(name).figures.repaired += 1
        self._told(name, "repaired", None)

    def fell_back(self, name: str) -> None:
        """Another tool was tried in place of this one."""
        self._tally(name).figures.fell_back += 1
        self._told(name, "fell_back", None)

    def looped(self, name: str) -> None:
        self._tally(name).figures.loops += 1
        self._told(name, "looped", None)

    def hebrew(self, name: str, *, found: bool) -> None:
        """A call in Hebrew ended, and whether it found something."""
        figures = self._tally(name).figures
        figures.hebrew += 1
        figures.hebrew_found += found
        self._told(name, "hebrew_found" if found else "hebrew", None)

    def _tally(self, name: str) -> _Tally:
        return self._tallies.setdefault(name, _Tally())
