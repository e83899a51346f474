"""Stages a CSV file: DuckDB reads it where it can, otherwise the tolerant reader of the library."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.staging import RawSheet, numbered, quoted, stage_rows
from core.datasets.records import ROW
from core.library.extract.csv import with_full_head
from core.library.extract.cuts import Cuts
from core.library.record_tables.csv_rows import CsvDialect, csv_rows, dialect_of

if TYPE_CHECKING:
    import duckdb

log = logging.getLogger(__name__)

_PIECE = 1 << 20
_SAMPLE_ROWS = 200
ESCAPES = ('"', "\\")
"""Characters that a program may write before a quote in a quoted cell."""
_LARGE = 32 * 1024 * 1024
"""Size in bytes from which DuckDB reads a file in parallel; it then refuses line breaks in cells."""
_EMPTY_LINE = re.compile(rb"\n\r?\n|\r\r|^\r?\n")


def stage_csv(database: duckdb.DuckDBPyConnection, path: Path, folder: Path, encoding: str = "") -> RawSheet:
    """Stages the rows of a CSV or TSV file. ``encoding`` is the one that a person chose."""
    dialect = dialect_of(path, encoding)
    if (width := _plain_width(path, dialect)) is not None:
        plain = _in_utf8(path, dialect, folder)
        for escape in ESCAPES:
            try:
                return _read_by_duckdb(database, plain, dialect, width, escape, folder)
            except Exception as error:  # DuckDB's errors; the tolerant reader decides
                log.debug("DuckDB cannot read this CSV file with %s before quotes: %s", escape, error)
    rows = csv_rows(path, dialect, Cuts())
    first = list(islice(rows, _SAMPLE_ROWS))
    staged = stage_rows(database, numbered(chain(with_full_head(first), rows)), folder, 0)
    return replace(staged, semicolons=dialect.delimiter == ";")


def _plain_width(path: Path, dialect: CsvDialect) -> int | None:
    """The number of columns of a file whose lines are its rows, none of them empty; otherwise ``None``."""
    if dialect.is_reversed or dialect.declared or _has_empty_lines(path):
        return None
    first = list(islice(csv_rows(path, dialect, Cuts()), _SAMPLE_ROWS))
    width = max(map(len, first), default=0)
    return width if width > 1 and with_full_head(first) == first else None


def _has_empty_lines(path: Path) -> bool:
    """Whether a line is empty, or only carriage returns end lines."""
    last, feeds = b"", False
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            if _EMPTY_LINE.search(last + piece):
                return True
            feeds = feeds or b"\n" in piece
            last = piece[-2:]
    return not feeds


def _in_utf8(path: Path, dialect: CsvDialect, folder: Path) -> Path:
    if dialect.encoding in ("utf-8", "ascii"):
        return path
    copy = folder / "utf8.csv"
    with (
        path.open(encoding=dialect.encoding, errors="replace", newline="") as source,
        copy.open("w", encoding="utf-8", newline="") as target,
    ):
        while piece := source.read(_PIECE):
            target.write(piece.replace("\x00", ""))
    return copy


def _read_by_duckdb(
    database: duckdb.DuckDBPyConnection, path: Path, dialect: CsvDialect, width: int, escape: str, folder: Path
) -> RawSheet:
    raw = folder / "raw-0.parquet"
    columns = {f"v{place}": "VARCHAR" for place in range(width)}
    cells = ", ".join(f"nullif(trim({column}), '') AS {column}" for column in columns)
    some = " OR ".join(f"{column} IS NOT NULL" for column in columns)
    is_large = path.stat().st_size > _LARGE
    rows = (
        f"read_csv({quoted(str(path))}, header=false, auto_detect=false, delim={quoted(dialect.delimiter)}, "
        f"quote='\"', escape={quoted(escape)}, null_padding=true, strict_mode=true, parallel={str(is_large).lower()}, "
        f"max_line_size=20000000, columns={columns!r})"
    )
    database.execute(
        f"COPY (SELECT * FROM (SELECT row_number() OVER () AS {ROW}, {cells} FROM {rows}) WHERE {some}) "
        f"TO {quoted(str(raw))} (FORMAT parquet)"
    )
    return RawSheet(raw, width, semicolons=dialect.delimiter == ";")
