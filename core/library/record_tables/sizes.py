"""Determines how long a table file is without reading its cells."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from core.library.extract.sniff import Format
from core.library.record_tables.bounds import KEPT_ROWS, PASSAGE_ROWS
from core.settings import Settings

_PIECE = 1 << 20


def is_large(path: Path, found: Format, settings: Settings, *, as_dataset: bool = False) -> bool:
    """Whether a file is read in pieces; other files are held in memory. ``as_dataset``: its rows are also stored as a
    dataset."""
    most = min(PASSAGE_ROWS, KEPT_ROWS) if as_dataset else KEPT_ROWS
    if found == "csv":
        return path.stat().st_size > settings.limits.extracted_characters or line_count(path) > most
    return found == "xlsx" and sum(row_counts(path).values()) > most


def line_count(path: Path) -> int:
    """The number of line breaks in a text file, of any operating system."""
    feeds = returns = 0
    with path.open("rb") as file:
        while data := file.read(_PIECE):
            feeds += data.count(b"\n")
            returns += data.count(b"\r")
    return max(feeds, returns)


def row_counts(path: Path) -> dict[str, int]:
    """The number of rows of each sheet, by its name in the archive. The size that a sheet declares is not trusted."""
    counts: dict[str, int] = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not (name.startswith("xl/worksheets/") and name.endswith(".xml")):
                continue
            counts[name] = 0
            try:
                with archive.open(name) as part:
                    for window in _windows(part):
                        counts[name] += window.count(b"<row ") + window.count(b":row ")
            except MemoryError:
                raise
            except Exception:  # zlib.error and similar errors have no common base class; the reader reports the damage
                continue
    return counts


def _windows(part: IO[bytes]) -> Iterator[bytes]:
    """Pieces of an archive part that overlap by the length of the search text."""
    tail = b""
    while data := part.read(_PIECE):
        window = tail + data
        yield window
        tail = window[-4:]
