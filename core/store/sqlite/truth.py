"""The embedded truth: JSON documents in SQLite, one table a collection.

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
"""A write may take so many times the seconds of a read: a whole book is one transaction."""


class SqliteTruth:
    """``Truth`` in one SQLite file. ``seconds`` bound a read; a write gets ``WRITE_FACTOR`` times as much."""

    def __init__(
        self,
        path: Path,
        seconds: float = 5.0,
        make_room: Callable[[], bool] = lambda: False,
        read_only: ReadOnly | None = None,
    ) -> None:
        """``make_room`` is asked once when the disk is full; when it gives some, what was written is tried again."""
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
            PalimpsestError: it cannot be opened, or it is no database.
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
        """Finish what is under way and close the file; starting again is possible."""
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
        """Of a collection, whichever object of ours writes it."""
        return self._written[name]

    async def names(self) -> list[str]:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        return [str(row[0]) for row in await self.read(lambda connection: connection.execute(tables).fetchall())]

    async def scrub(self) -> None:
        """Writes the whole file anew; writes of others wait as long as that takes."""

        def rewrite(connection: sqlite3.Connection) -> None:
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

        await _started(self._writer).run(rewrite, float("inf"))

    async def read(self, work: Work[T]) -> T:
        return await _started(self._readers).run(work, self._seconds)

    async def settle(self) -> None:
        """What has begun to be written is written when this returns."""
        await self._transact(lambda _: None)

    async def write(self, work: Work[T], seconds: float | None = None, ended: Callable[[], None] = lambda: None) -> T:
        """Run ``work`` as one transaction; whatever it raises takes everything back. ``ended`` is called in the
        thread of the writer when it is over, also where that took longer than anybody waited."""
        self.read_only.refuse()
        return await self._transact(work, seconds, ended)

    async def prepare(self, work: Work[T]) -> T:
        """As ``write``, for what makes tables and indexes and changes no record, however long it takes."""
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
    """Drop what ``ANALYZE`` wrote. Most databases are of one person, so statistics say that an index which begins with
    ``user_id`` finds every row, and the planner scans the table for a count that the whole index would answer. Every
    filter has an index of its own, which SQLite chooses by its defaults. A connection that has read statistics keeps
    them until it is closed."""
    for table in connection.execute("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat_'").fetchall():
        try:
            connection.execute(f"DROP TABLE {table[0]}")
        except sqlite3.OperationalError:
            log.warning("statistics of an earlier version stay", exc_info=True)


def _started(lane: ConnectionThreads | None) -> ConnectionThreads:
    if lane is None:
        raise RuntimeError("the truth has not been started")
    return lane
