"""Makes a workbench read-only for some seconds while its data is moved: nothing is written, reading works.

The moving process renews this repeatedly; if it is killed, writing is allowed again after these seconds.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from core.errors import fail, problem_of
from core.resilience.read_only import ReadOnly
from core.settings import Settings
from core.store.edge import EdgeIndex
from core.store.index import Index
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Truth

log = logging.getLogger(__name__)


@dataclass
class HeldForMove:
    """Makes the workbench read-only; ``quiet`` waits until no answer is being written, or until a time limit."""

    _settings: Settings
    _truth: Truth
    _index: Index
    _read_only: ReadOnly
    _quiet: Callable[[], Awaitable[None]]

    def __post_init__(self) -> None:
        self._ends: asyncio.TimerHandle | None = None
        self._moved = False

    async def hold(self, seconds: float) -> None:
        """When this returns, the data directory does not change for ``seconds``; another call extends this time.

        Raises:
            PalimpsestError: records are stored on servers ("validation").
        """
        if not isinstance(self._truth, SqliteTruth):
            raise fail("validation", "moving.kept_elsewhere")
        if self._read_only.why is None:
            await self._quiet()
            self._read_only.begin(problem_of("validation", "moving.held"))
            log.warning("the data directory is being moved: nothing is written for now")
        await self._truth.settle()
        if isinstance(self._index, EdgeIndex):
            await self._index.settle()
        self._end_after(seconds)

    def release(self, moved_to: str = "") -> None:
        """Allow writes again; but if the data has been moved elsewhere, this process never writes again."""
        self._cancel()
        if moved_to:
            self._moved = True
            self._read_only.begin(problem_of("validation", "moving.moved", target=moved_to))
        elif not self._moved:
            self._read_only.end()
            log.warning("the data directory is written again")

    def stop(self) -> None:
        self._cancel()
        self._read_only.end()

    def _end_after(self, seconds: float) -> None:
        self._cancel()
        self._ends = asyncio.get_running_loop().call_later(seconds, self.release)

    def _cancel(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
