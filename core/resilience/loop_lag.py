"""Measures how long the event loop is blocked, and records which code blocked it."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

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
_DEEPEST = 200
"""At most as many calls of a stack are taken."""
_ROOT = Path(__file__).resolve().parents[2]
_WAITING = ("select", "wait", "acquire", "get", "_worker", "readline")
"""Functions in which an idle thread waits."""


class Call(NamedTuple):
    """One call of a stack."""

    filename: str
    line: int
    function: str


Stack = Sequence[Call]
"""The calls of a thread, the innermost first."""


class LoopLag:
    """Watches the event loop that it is started on.

    A task ticks ten times a second. If a tick is late, a thread takes the stacks of all threads as soon as it gets the
    interpreter lock. It never reads them without that lock: another thread may free a frame in the same moment, and
    the process would crash.

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
        self._stacks: tuple[float, Mapping[int, Stack]] = (0.0, {})
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
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
        self._stopped.clear()
        self._thread = threading.Thread(target=self._watch, name="loop-lag", daemon=True)
        self._thread.start()
        self._task = asyncio.create_task(self._tick(threading.get_ident()))

    async def stop(self) -> None:
        """Stop watching."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._stopped.set()
        if self._thread:
            await asyncio.to_thread(self._thread.join)

    async def _tick(self, thread_id: int) -> None:
        while True:
            before = self._ticked
            await asyncio.sleep(TICK_SECONDS)
            now = time.monotonic()
            late, self._ticked = now - before - TICK_SECONDS, now
            self._note(late)
            if late >= self._blocked_seconds:
                of, stacks = self._stacks
                where = place_in(stacks, thread_id) if of == before else ""
                self._pauses.append(Pause(at=self._clock(), seconds=late, where=where))
                log.warning("the event loop was blocked for %.1f s%s", late, f" in {where}" if where else "")

    def _watch(self) -> None:
        """Take the stacks once for each late tick, until ``stop``."""
        patience, own = TICK_SECONDS + self._blocked_seconds / 2, threading.get_ident()
        while not self._stopped.wait(min(TICK_SECONDS, patience / 4)):
            ticked = self._ticked
            if time.monotonic() - ticked >= patience and self._stacks[0] != ticked:
                stacks = {thread: _stack(frame) for thread, frame in sys._current_frames().items() if thread != own}
                self._stacks = ticked, stacks

    def _note(self, late: float) -> None:
        """Record a lag, unless a later one is as long."""
        while self._late and self._late[-1][1] <= late:
            self._late.pop()
        self._late.append((self._ticked, late))
        self._forget_old()

    def _forget_old(self) -> None:
        while self._late and self._late[0][0] < time.monotonic() - WINDOW_SECONDS:
            self._late.popleft()


def _stack(frame: FrameType | None) -> Stack:
    calls: list[Call] = []
    while frame is not None and len(calls) < _DEEPEST:
        calls.append(Call(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        frame = frame.f_back
    return calls


def place_in(stacks: Mapping[int, Stack], thread_id: int) -> str:
    """The innermost line of our own code in the stacks of all threads.

    It is a line in the loop's thread; if that thread waits for the interpreter lock, it is a line in another thread,
    which held the lock.

    Args:
        stacks: The stack of each thread, by the thread's identifier.
        thread_id: The thread of the event loop.

    Returns:
        ``core/figures/tables/grid.py:92 (series)``, or an empty text.
    """
    others = [stack for identifier, stack in stacks.items() if identifier != thread_id]
    for stack in [stacks.get(thread_id), *others]:
        if stack and stack[0].function not in _WAITING and (place := _own_place(stack)):
            return place
    return ""


def _own_place(stack: Stack) -> str:
    for call in stack:
        path = Path(call.filename)
        if path.is_relative_to(_ROOT) and "site-packages" not in path.parts:
            return f"{path.relative_to(_ROOT).as_posix()}:{call.line} ({call.function})"
    return ""
