"""The file of the embedded truth: *a path* → what keeps it from being read, and what was set aside of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

MOST_READ_THROUGH = 256 * 1024 * 1024
"""Bytes of a file that is read through before it is believed; of a larger one its schema alone."""
ASIDE = "damaged-"
COMPANIONS = ("", "-wal", "-shm")


def trouble_with(path: Path) -> str:
    """Why SQLite cannot read the file, for the log; nothing where it can. Blocks."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as truth:
            truth.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if path.stat().st_size <= MOST_READ_THROUGH:
                found = str(truth.execute("PRAGMA quick_check(1)").fetchone()[0])
                return "" if found == "ok" else found
    except sqlite3.OperationalError as error:
        return "" if "locked" in str(error) or "busy" in str(error) else str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    return ""


def aside(folder: Path) -> list[Path]:
    """Files of a truth that could not be read, kept when another took its place."""
    return sorted(each for each in folder.glob(f"{ASIDE}*/*.sqlite"))
