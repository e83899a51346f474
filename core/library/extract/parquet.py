"""Reads Parquet files as rows of text: *a Parquet file* → the same rows as a CSV file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from core.library.extract.csv import extract_csv
from core.library.extracted import Extracted
from core.settings import Settings

MIME = "application/vnd.apache.parquet"
MEMORY = "400MB"


def rows_as_csv(path: Path, folder: Path) -> Path:
    """Writes the rows of a Parquet file to a CSV file in ``folder``, with a heading row.

    Raises:
        ValueError: the file is damaged.
    """
    import duckdb

    target = folder / "rows.csv"
    with duckdb.connect(config={"memory_limit": MEMORY, "threads": 2, "temp_directory": str(folder)}) as database:
        try:
            database.execute(f"COPY (SELECT * FROM read_parquet({_quoted(path)})) TO {_quoted(target)} (HEADER)")
        except duckdb.Error as error:
            raise ValueError(str(error)) from error
    return target


def extract_parquet(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract one table."""
    with tempfile.TemporaryDirectory(prefix="palimpsest-parquet-") as folder:
        return extract_csv(rows_as_csv(path, Path(folder)), filename, settings).model_copy(update={"mime": MIME})


def _quoted(path: Path) -> str:
    escaped = str(path).replace("'", "''")
    return f"'{escaped}'"
