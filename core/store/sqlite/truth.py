"""Implements the embedded record store: JSON documents in SQLite, one table per collection.

One thread writes, a few read (``core.store.sqlite.threads``).
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from core.errors import PalimpsestError
from core.resilience.read_only import ReadOnly
from core.store.filters import check_name
from core.store.sqlite.collection import SqliteCollection
from core.store.sqlite.threads import ConnectionThreads, Work, is_full
from core.store.sqlite.written_rows import WrittenRows

log = logging.getLogger(__name__)

T = TypeVar("T")

READERS = 4
WRITE_FACTOR = 6.0
"""A write may take this many times the seconds of a read, because a whole book is one transaction."""


class SqliteTruth:
    """``Truth`` in one SQLite file. ``seconds`` limit a read; a write gets ``WRITE_FACTOR`` times as much.

    >>> truth = SqliteTruth(home / "records.sqlite")
    >>> run(truth.start())
    >>> notes = truth.collection("notes")
    >>> run(notes.upsert({"_id": "n1", "user_id": "ada", "text": "Call the landlord."}))
    >>> run(notes.get("n1"))["text"]
    'Call the landlord.'
    >>> run(truth.stop())
    """

    def __init__(
        self,
        path: Path,
        seconds: float = 5.0,
        make_room: Callable[[], bool] = lambda: False,
        read_only: ReadOnly | None = None,
    ) -> None:
        """``make_room`` is called once when the disk is full; if it frees space, the write is repeated."""
        self._path = path
        self.read_only = read_only or ReadOnly()
        self._make_room = make_room
        self._seconds = seconds
        self._collections: dict[str, SqliteCollection] = {}
        self._written: defaultdict[str, WrittenRows] = defaultdict(WrittenRows)
        self._readers: ConnectionThreads | None = None
        self._writer: ConnectionThreads | None = None

    async def start(self) -> None:
        """Open the file, or create it.

        Raises:
            PalimpsestError: it cannot be opened, or it is not a database.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        first = ConnectionThreads(self._path, 1, read_only=False)
        try:
            await first.run(_drop_statistics, float("inf"))
        finally:
            await asyncio.to_thread(first.close)
        for written in self._written.values():
            written.note(None)
        self._writer = ConnectionThreads(self._path, 1, read_only=False)
        self._readers = ConnectionThreads(self._path, READERS, read_only=True)

    async def stop(self) -> None:
        """Finish running work and close the file; it can be started again."""
        lanes = [lane for lane in (self._readers, self._writer) if lane is not None]
        self._readers = self._writer = None
        self._collections = {}
        for lane in lanes:
            await asyncio.to_thread(lane.close)

    def collection(self, name: str) -> SqliteCollection:
        if name not in self._collections:
            self._collections[name] = SqliteCollection(self, check_name(name))
        return self._collections[name]

    def written_rows(self, name: str) -> WrittenRows:
        """The tracker of a collection's written rows, shared by all objects that write to it."""
        return self._written[name]

    async def names(self) -> list[str]:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        return [str(row[0]) for row in await self.read(lambda connection: connection.execute(tables).fetchall())]

    async def scrub(self) -> None:
        """Rewrites the whole file; other writes wait for that long."""

        def rewrite(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await _started(self._writer).run(rewrite, float("inf"))

    async def read(self, work: Work[T]) -> T:
        return await _started(self._readers).run(work, self._seconds)

    async def settle(self) -> None:
        """All started writes are finished when this returns."""
        await self._transact(lambda _: None)

    async def write(self, work: Work[T], seconds: float | None = None, ended: Callable[[], None] = lambda: None) -> T:
        """Run ``work`` as one transaction; any error rolls everything back. ``ended`` is called in the writer's thread
        when it is over, even if the caller has stopped waiting."""
        self.read_only.refuse()
        return await self._transact(work, seconds, ended)

    async def prepare(self, work: Work[T]) -> T:
        """As ``write``, for creating tables and indexes without changing records, however long it takes."""
        return await self._transact(work, float("inf"))

    async def _transact(
        self, work: Work[T], seconds: float | None = None, ended: Callable[[], None] = lambda: None
    ) -> T:
        def transaction(connection: sqlite3.Connection) -> T:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                ended()
            return result

        bound = seconds or self._seconds * WRITE_FACTOR
        try:
            return await _started(self._writer).run(transaction, bound)
        except PalimpsestError as error:
            if not is_full(error) or not await asyncio.to_thread(self._make_room):
                raise
            return await _started(self._writer).run(transaction, bound)


def _drop_statistics(connection: sqlite3.Connection) -> None:
    """Drop the statistics of ``ANALYZE``. Most databases belong to one person, so the statistics say that an index
    starting with ``user_id`` matches every row, and the planner scans the table for a count that the index could
    answer. Every filter has its own index, which SQLite chooses by default. A connection that has read statistics
    keeps them until it is closed.
    """
    for table in connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat_'").fetchall():
        try:
            connection.execute(f"DROP TABLE {table[0]}")
        except sqlite3.OperationalError:
            log.warning("statistics of an earlier version stay", exc_info=True)


def _started(lane: ConnectionThreads | None) -> ConnectionThreads:
    if lane is None:
        raise RuntimeError("the truth has not been started")
    return lane
