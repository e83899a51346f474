"""Stages the rows of a Parquet file; its numbers, dates and truth values are exact."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.staging import NATIVE, RawSheet, quoted
from core.datasets.records import ROW

if TYPE_CHECKING:
    import duckdb

_NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
            "FLOAT", "DOUBLE", "DECIMAL")  # fmt: skip


def stage_parquet(database: duckdb.DuckDBPyConnection, path: Path, folder: Path) -> RawSheet:
    """Stages the rows below a heading row with the names of the columns."""
    source, raw = f"read_parquet({quoted(str(path))})", folder / "raw-0.parquet"
    columns = database.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
    cells = ", ".join(f"{_text(str(row[0]), str(row[1]))} AS v{place}" for place, row in enumerate(columns))
    names = ", ".join(f"{quoted(str(row[0]))} AS v{place}" for place, row in enumerate(columns))
    database.execute(
        f"COPY (SELECT 1 AS {ROW}, {names} UNION ALL SELECT 1 + row_number() OVER () AS {ROW}, {cells} FROM {source}) "
        f"TO {quoted(str(raw))} (FORMAT parquet)"
    )
    return RawSheet(raw, len(columns), heads=1)


def _text(name: str, kind: str) -> str:
    escaped = name.replace('"', '""')
    column = f'"{escaped}"'
    if kind.startswith(_NUMBERS) and not kind.endswith("[]"):
        return f"{quoted(NATIVE)} || CAST({column} AS VARCHAR)"
    if kind == "BOOLEAN":
        return f"CASE {column} WHEN true THEN 'TRUE' WHEN false THEN 'FALSE' END"
    if kind == "TIMESTAMP WITH TIME ZONE":
        return f"CAST(make_timestamp(epoch_us({column})) AS VARCHAR)"
    return f"nullif(trim(CAST({column} AS VARCHAR)), '')"
