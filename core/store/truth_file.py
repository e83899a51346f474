"""Checks the file of the embedded record store: *a path* → why it cannot be read, and which files were set aside."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from core.clock import Clock, system_clock
from core.errors import fail
from core.settings import Settings
from core.store.open import TRUTH

log = logging.getLogger(__name__)

MOST_READ_THROUGH = 256 * 1024 * 1024
"""A file up to this size in bytes is checked completely; for a larger one, only its schema."""
ASIDE = "damaged-"
COMPANIONS = ("", "-wal", "-shm")


def trouble_with(path: Path) -> str:
    """Why SQLite cannot read the file, for the log; empty if it can. This call blocks."""
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
    """Files of an unreadable record store, kept when a new one replaced it."""
    return sorted(each for each in folder.glob(f"{ASIDE}*/*.sqlite"))


def refuse_unreadable(settings: Settings) -> None:
    """Raises ``PalimpsestError`` if records exist but cannot be read; nothing is changed. This call blocks."""
    path = settings.folder / TRUTH
    if not settings.mongodb_uri and path.exists() and path.stat().st_size and (trouble := trouble_with(path)):
        raise fail("server", "doctor.warnings.truth_unreadable", detail=trouble, file=path)


def set_aside(settings: Settings, clock: Clock = system_clock) -> Path | None:
    """Move unreadable records to a separate folder, so that new ones can be created; returns the folder. This call
    blocks."""
    path = settings.folder / TRUTH
    if settings.mongodb_uri or not path.exists() or not path.stat().st_size or not (trouble := trouble_with(path)):
        return None
    moment = datetime.fromtimestamp(clock(), UTC).strftime("%Y%m%d-%H%M%S")
    folder = settings.folder / f"{ASIDE}{moment}"
    folder.mkdir(mode=0o700)
    for companion in COMPANIONS[::-1]:
        each = path.with_name(path.name + companion)
        if each.exists():
            each.rename(folder / each.name)
    log.error("the records could not be read (%s) and are kept at %s", trouble, folder)
    return folder
