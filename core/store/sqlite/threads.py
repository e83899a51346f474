"""Runs SQLite in threads with one connection each and with time limits.

With WAL, readers and the writer do not block each other; with ``synchronous=FULL``, every acknowledged write survives a
crash.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from core.errors import fail, no_room
from core.resilience.dependencies import too_slow
from core.store.truth import DuplicateError

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]

CHECK_EVERY = 10_000
"""Steps of SQLite's virtual machine between two checks of the clock; a few tenths of a millisecond."""
SETTINGS = (
    "journal_mode = WAL", "synchronous = FULL", "temp_store = MEMORY", "cache_size = -16000",
    "journal_size_limit = 67108864",
)  # fmt: skip
FULL = ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE")
"""SQLite's errors for a full disk: its file, or the memory map of its log, cannot grow."""


class _Call:
    """The time limit of a connection's current statement."""

    def __init__(self, ends: float) -> None:
        self.ends = ends

    def over(self) -> bool:
        return time.monotonic() > self.ends


class ConnectionThreads:
    """Threads that each own one connection. A group with one thread serialises the writes."""

    def __init__(self, path: Path, threads: int, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        self._own = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._executor = ThreadPoolExecutor(threads, "truth-read" if read_only else "truth-write")

    async def run(self, work: Work[T], seconds: float) -> T:
        """Run ``work`` in one of the threads. Raises ``PalimpsestError`` ("timeout") after ``seconds``, including the
        time in the queue.

        A cancelled read stops; a cancelled write that has begun is finished.
        """
        call = _Call(time.monotonic() + seconds)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, self._bounded, work, call, seconds)
        except asyncio.CancelledError:
            if self._read_only:
                call.ends = 0.0
            raise

    def _bounded(self, work: Work[T], call: _Call, seconds: float) -> T:
        if call.over():
            raise too_slow("SQLite", seconds)
        try:
            connection = self._open()
            connection.set_progress_handler(call.over, CHECK_EVERY)
            return _kept_in(work(connection))
        except sqlite3.Error as error:
            raise _translated_error(error, seconds) from error

    def _open(self) -> sqlite3.Connection:
        if not hasattr(self._own, "connection"):
            connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=5.0)
            self._connections.append(connection)
            for setting in (*SETTINGS, f"query_only = {'ON' if self._read_only else 'OFF'}"):
                connection.execute(f"PRAGMA {setting}")
            self._own.connection = connection
        opened: sqlite3.Connection = self._own.connection
        return opened

    def close(self) -> None:
        self._executor.shutdown(wait=True)
        for connection in self._connections:
            connection.close()


def _kept_in(result: T) -> T:
    """A cursor must stay in its connection's thread. If it were released in another thread, it would reset a cached
    statement that the writer may be using, which SQLite reports as misuse."""
    if isinstance(result, sqlite3.Cursor):
        raise TypeError("work gave its cursor out of its thread")
    return result


def is_full(error: BaseException) -> bool:
    """Whether the disk was full."""
    return getattr(error.__cause__, "sqlite_errorname", "") in FULL


def _translated_error(error: sqlite3.Error, seconds: float) -> Exception:
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, sqlite3.IntegrityError):
        return DuplicateError(str(error))
    if name in ("SQLITE_INTERRUPT", "SQLITE_BUSY"):
        return too_slow("SQLite", seconds)
    if name in FULL:
        return no_room("store.sqlite_lane.nothing_more_saved", detail=str(error))
    return fail("server", "store.sqlite_lane.database_used", detail=f"{name} {error}")
