"""Migrates a folder with SQLite, whose format is stored in the database's ``user_version``."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from core.store.migrations.stored import FIRST, Rewrite

TRUTH, CHECKPOINTS = "truth.sqlite", "checkpoints.sqlite"
_VALUES = (("checkpoints", "checkpoint"), ("writes", "value"))


class StoredInSqlite:
    """``Stored`` in the files of ``folder``; missing files are not created."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def format(self) -> int | None:
        if not (self._folder / TRUTH).exists():
            return None
        with closing(sqlite3.connect(self._folder / TRUTH)) as truth:
            if noted := truth.execute("PRAGMA user_version").fetchone()[0]:
                return int(noted)
            return FIRST if truth.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() else None

    def note_format(self, number: int) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(self._folder / TRUTH)) as truth:
            truth.execute(f"PRAGMA user_version = {number:d}")

    def in_use(self, now: float) -> list[str]:
        """Always empty, because this process has locked the folder."""
        return []

    def back_up(self, folder: Path) -> None:
        for name in (TRUTH, CHECKPOINTS):
            if (self._folder / name).exists():
                with (
                    closing(sqlite3.connect(self._folder / name)) as source,
                    closing(sqlite3.connect(folder / name)) as copy,
                ):
                    source.backup(copy)

    def rewrite_checkpoints(self, holding: bytes, change: Rewrite) -> None:
        if not (self._folder / CHECKPOINTS).exists():
            return
        with closing(sqlite3.connect(self._folder / CHECKPOINTS)) as connection, connection:
            connection.create_function("changed", 1, change, deterministic=True)
            for table, field in _VALUES:
                if connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                    connection.execute(
                        f"UPDATE {table} SET {field} = changed({field}) WHERE type = 'msgpack' AND instr({field}, ?)",
                        (holding,),
                    )

    def close(self) -> None:
        """Does nothing, because no file stays open between two calls."""
