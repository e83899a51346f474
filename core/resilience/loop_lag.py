"""Measures how long the event loop keeps others waiting, and notes what ran while it was blocked."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections import deque
from pathlib import Path
from types import FrameType

from core.clock import Clock, system_clock
from core.resilience.records import Pause

log = logging.getLogger(__name__)

TICK_SECONDS = 0.1
"""Between two ticks of the loop."""
BLOCKED_SECONDS = 1.0
"""A longer lag is noted with what ran meanwhile."""
WINDOW_SECONDS = 300.0
"""The lag that is shown is the longest of so many seconds."""
MOST_LISTED = 10
_ROOT = Path(__file__).resolve().parents[2]


class LoopLag:
    """Watches the event loop that it is started on.

    A task ticks ten times a second; a thread looks for late ticks and reads the stack of the loop's thread.

    Example:
        >>> import asyncio, time
        >>> async def main() -> bool:
        ...     lag = LoopLag()
        ...     await lag.start()
        ...     await asyncio.sleep(0)
        ...     time.sleep(0.3)
        ...     await asyncio.sleep(0.05)
        ...     await lag.stop()
        ...     return lag.longest > 0.1
        >>> asyncio.run(main())
        True
    """

    def __init__(self, clock: Clock = system_clock, blocked_seconds: float = BLOCKED_SECONDS) -> None:
        self._clock = clock
        self._blocked_seconds = blocked_seconds
        self._late: deque[tuple[float, float]] = deque()
        self._pauses: deque[Pause] = deque(maxlen=MOST_LISTED)
        self._ticked = time.monotonic()
        self._where = ""
        self._ended = threading.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def longest(self) -> float:
        """The longest lag of the last ``WINDOW_SECONDS``, in seconds."""
        self._forget_old()
        return max((seconds for _, seconds in self._late), default=0.0)

    @property
    def pauses(self) -> list[Pause]:
        """The last pauses that were long, the latest first."""
        return list(reversed(self._pauses))

    async def start(self) -> None:
        """Begin to watch the running loop."""
        self._ended.clear()
        self._ticked = time.monotonic()
        self._task = asyncio.create_task(self._tick())
        thread = threading.Thread(
            target=self._watch, args=(threading.get_ident(),), daemon=True, name="event loop watchdog"
        )
        thread.start()

    async def stop(self) -> None:
        """Watch no more."""
        self._ended.set()
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            self._note(now - self._ticked - TICK_SECONDS)
            self._ticked = now

    def _note(self, late: float) -> None:
        """Keep a lag, unless an earlier one of the window is as long and will be forgotten later."""
        now = self._ticked
        while self._late and self._late[-1][1] <= late:
            self._late.pop()
        self._late.append((now, late))
        self._forget_old()
        if late >= self._blocked_seconds:
            self._pauses.append(Pause(at=self._clock(), seconds=late, where=self._where))
            log.warning("the event loop was blocked for %.1f s%s", late, f" in {self._where}" if self._where else "")
        self._where = ""

    def _forget_old(self) -> None:
        while self._late and self._late[0][0] < time.monotonic() - WINDOW_SECONDS:
            self._late.popleft()

    def _watch(self, thread_id: int) -> None:
        """Read where the loop's thread is while a tick is late."""
        while not self._ended.wait(self._blocked_seconds / 4):
            if time.monotonic() - self._ticked < self._blocked_seconds / 2 or self._where:
                continue
            frame = sys._current_frames().get(thread_id)
            if frame is not None:
                self._where = place_of(frame)


def place_of(frame: FrameType) -> str:
    """The innermost line of our own code in a stack: ``core/answering/tables/grid.py:92 (series)``."""
    stack = traceback.extract_stack(frame)
    own = [each for each in stack if Path(each.filename).is_relative_to(_ROOT) and "site-packages" not in each.filename]
    if not own:
        return ""
    return f"{Path(own[-1].filename).relative_to(_ROOT).as_posix()}:{own[-1].lineno} ({own[-1].name})"
