"""Stages the rows of a sheet or file as text in a Parquet file, so that tables of any size are typed by DuckDB.

A staged cell is a text; a number that the file holds as a number begins with ``NATIVE`` and is exact.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.records import ROW

if TYPE_CHECKING:
    import duckdb

NATIVE = "\x01"
"""Begins a cell that is a number in the file, and not a text that looks like one."""
MOST_COLUMNS = 2_000
MEMORY = "220MB"
"""Maximum memory of DuckDB while a file is read; larger results are kept on disk."""
THREADS = 2
NumberedRow = tuple[int, Sequence[str]]


@dataclass(frozen=True)
class RawSheet:
    """The staged rows of a sheet or file: a Parquet file with the columns ``_row``, ``v0``, ``v1``, … of texts.

    ``heads`` is the number of heading rows if the file says so. ``spans``: texts were repeated over merged cells.
    ``semicolons``: the file separates cells by semicolons, which suggests a decimal comma. ``titles`` and ``notes`` are
    texts around the table. ``number`` is that of the table among others without a sheet. ``of_sections``: the
    rows are repeated sections of a text. ``view`` is the SQL of the rows if they were changed since.
    """

    path: Path
    width: int
    name: str = ""
    heads: int | None = None
    spans: bool = False
    semicolons: bool = False
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    page: int | None = None
    number: int = 0
    of_sections: bool = False
    view: str = ""

    @property
    def source(self) -> str:
        return self.view or f"read_parquet({quoted(str(self.path))})"

    @property
    def columns(self) -> list[str]:
        return [f"v{place}" for place in range(self.width)]


def quoted(text: str) -> str:
    """Returns ``text`` as a string of SQL."""
    escaped = text.replace("'", "''")
    return f"'{escaped}'"


def connect(folder: Path) -> duckdb.DuckDBPyConnection:
    """Opens an empty database in memory that keeps what does not fit in files of ``folder``."""
    import duckdb

    return duckdb.connect(
        config={
            "memory_limit": MEMORY,
            "threads": THREADS,
            "temp_directory": str(folder / "spilled"),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
        }
    )


def stage_rows(database: duckdb.DuckDBPyConnection, rows: Iterable[NumberedRow], folder: Path, number: int) -> RawSheet:
    """Stages rows that Python has read: their numbers and cells. Empty rows are left out."""
    written, path = folder / f"rows-{number}.csv", folder / f"raw-{number}.parquet"
    width = _write(rows, written)
    columns = {ROW: "BIGINT", **{f"v{place}": "VARCHAR" for place in range(width)}}
    database.execute(
        f"COPY (SELECT * FROM read_csv({quoted(str(written))}, header=false, auto_detect=false, delim=',', quote='\"', "
        f"escape='\"', null_padding=true, strict_mode=false, parallel=false, max_line_size=100000000, "
        f"columns={columns!r})) TO {quoted(str(path))} (FORMAT parquet)"
    )
    written.unlink()
    return RawSheet(path, width)


def _write(rows: Iterable[NumberedRow], path: Path) -> int:
    width = 1
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for number, cells in rows:
            filled = _trimmed(cells)
            if filled:
                width = max(width, len(filled))
                writer.writerow([number, *filled])
    return width


def _trimmed(cells: Sequence[str]) -> Sequence[str]:
    end = min(len(cells), MOST_COLUMNS)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]


def numbered(rows: Iterable[Sequence[str]]) -> Iterator[NumberedRow]:
    return enumerate(rows, start=1)
