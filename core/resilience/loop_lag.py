"""Measures how long the event loop is blocked, and records which code blocked it."""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import re
import tempfile
import threading
import time
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from core.clock import Clock, system_clock
from core.resilience.records import Pause

log = logging.getLogger(__name__)

TICK_SECONDS = 0.1
"""Seconds between two ticks of the loop."""
BLOCKED_SECONDS = 1.0
"""Minimum lag in seconds for which the blocking code is recorded."""
WINDOW_SECONDS = 300.0
"""The longest lag of this many last seconds is shown."""
MOST_LISTED = 10
_ROOT = Path(__file__).resolve().parents[2]
_THREAD = re.compile(r"^(?:Current thread|Thread) 0x([0-9a-f]+)")
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+) in (.+)$')
_WAITING = ("select", "wait", "acquire", "get", "_worker", "readline")
"""Functions in which an idle thread waits."""


class LoopLag:
    """Watches the event loop that it is started on.

    A task ticks ten times a second. If a tick is late, ``faulthandler`` writes the stacks of all threads, which it
    can do even while a regular expression or a parser holds the interpreter.

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
        self._open = ExitStack()
        self._task: asyncio.Task[None] | None = None

    @property
    def longest(self) -> float:
        """The longest lag of the last ``WINDOW_SECONDS``, in seconds."""
        self._forget_old()
        return max((seconds for _, seconds in self._late), default=0.0)

    @property
    def pauses(self) -> list[Pause]:
        """The last long pauses, the latest first."""
        return list(reversed(self._pauses))

    async def start(self) -> None:
        """Start to watch the running loop."""
        self._ticked = time.monotonic()
        file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 -- closed by the stack
        stacks = self._open.enter_context(file)
        self._task = asyncio.create_task(self._tick(threading.get_ident(), stacks))

    async def stop(self) -> None:
        """Stop watching."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        faulthandler.cancel_dump_traceback_later()
        self._open.close()

    async def _tick(self, thread_id: int, stacks: IO[str]) -> None:
        while True:
            faulthandler.dump_traceback_later(TICK_SECONDS + self._blocked_seconds / 2, file=stacks)
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            late, self._ticked = now - self._ticked - TICK_SECONDS, now
            self._note(late)
            faulthandler.cancel_dump_traceback_later()
            written = _taken(stacks) if late >= self._blocked_seconds / 2 else ""
            if late >= self._blocked_seconds:
                where = place_in(written, thread_id)
                self._pauses.append(Pause(at=self._clock(), seconds=late, where=where))
                log.warning("the event loop was blocked for %.1f s%s", late, f" in {where}" if where else "")

    def _note(self, late: float) -> None:
        """Record a lag, unless a later one is as long."""
        while self._late and self._late[-1][1] <= late:
            self._late.pop()
        self._late.append((self._ticked, late))
        self._forget_old()

    def _forget_old(self) -> None:
        while self._late and self._late[0][0] < time.monotonic() - WINDOW_SECONDS:
            self._late.popleft()


def _taken(stacks: IO[str]) -> str:
    """The text written to the file, which is then deleted."""
    stacks.seek(0)
    text = stacks.read()
    stacks.seek(0)
    stacks.truncate()
    return text


def place_in(stacks: str, thread_id: int) -> str:
    """The innermost line of our own code in the stacks that ``faulthandler`` wrote.

    It is a line in the loop's thread; if that thread waits for the interpreter lock, it is a line in another thread,
    which held the lock.

    Returns:
        ``core/figures/tables/grid.py:92 (series)``, or an empty text.
    """
    threads: dict[int, list[tuple[str, str, str]]] = {}
    frames: list[tuple[str, str, str]] = []
    for line in stacks.splitlines():
        if thread := _THREAD.match(line):
            frames = threads.setdefault(int(thread[1], 16), [])
        elif frame := _FRAME.match(line):
            frames.append((frame[1], frame[2], frame[3]))
    others = [stack for identifier, stack in threads.items() if identifier != thread_id]
    for stack in [threads.get(thread_id, []), *others]:
        if stack and stack[0][2] not in _WAITING and (place := _own_place(stack)):
            return place
    return ""


def _own_place(stack: list[tuple[str, str, str]]) -> str:
    for filename, line, function in stack:
        path = Path(filename)
        if path.is_relative_to(_ROOT) and "site-packages" not in path.parts:
            return f"{path.relative_to(_ROOT).as_posix()}:{line} ({function})"
    return ""
