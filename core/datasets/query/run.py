"""Runs queries over datasets with DuckDB: no file but the datasets can be read, memory and time are limited."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.query.compile import Compiled, compiled
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.records import Dataset
from core.errors import fail

if TYPE_CHECKING:
    import duckdb
    import pandas

MEMORY = "256MB"
THREADS = 2
SECONDS = 20.0
"""Maximum duration of a query."""


class QueryRunner:
    """Runs queries over the Parquet files in a folder. A call blocks: run it in a thread.

    ``folder`` holds the files, named by their digest; ``seconds`` is the longest duration of a query.
    """

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        self._folder, self._seconds = folder.resolve(), seconds
        self._opening = threading.Lock()
        self._database: duckdb.DuckDBPyConnection | None = None

    def run(self, query: DataQuery, datasets: Mapping[str, Dataset]) -> QueryResult:
        """Returns the result of ``query``; ``datasets`` are those that it may use, by id.

        Raises:
            PalimpsestError: the query cannot be run as it is ("validation"), or takes too long ("timeout").
        """
        return self._run(query, compiled(query, datasets, self.path))

    def path(self, dataset: Dataset) -> str:
        return str(self._folder / dataset.digest)

    def _run(self, query: DataQuery, statement: Compiled) -> QueryResult:
        with self._cursor(self._seconds) as cursor:
            frame = _executed(cursor, statement.sql, statement.values).df()
            counts = _executed(cursor, statement.counts, statement.values).fetchone() or ()
        return _result(query, statement, frame, counts)

    def select(self, sql: str, values: Mapping[str, object], seconds: float) -> list[tuple[object, ...]]:
        """Returns the rows of a statement over the files in the folder.

        Raises:
            PalimpsestError: it takes longer than ``seconds`` ("timeout") or needs too much memory ("validation").
        """
        with self._cursor(seconds) as cursor:
            return _executed(cursor, sql, values).fetchall()

    @contextmanager
    def _cursor(self, seconds: float) -> Iterator[duckdb.DuckDBPyConnection]:
        """A cursor that is interrupted after ``seconds``."""
        import duckdb

        cursor = self._connection().cursor()
        watch = threading.Timer(seconds, cursor.interrupt)
        watch.daemon = True
        watch.start()
        try:
            yield cursor
        except duckdb.InterruptException as error:
            raise fail("timeout", "datasets.too_long", seconds=round(seconds)) from error
        except duckdb.OutOfMemoryException as error:
            raise fail("validation", "datasets.too_large") from error
        except duckdb.Error as error:
            # For example, a date is compared with a text, or the file was removed a moment ago.
            raise fail("validation", "datasets.not_run", detail=str(error)) from error
        finally:
            watch.cancel()
            cursor.close()

    def rows(self, dataset: Dataset, most: int) -> QueryResult:
        """Returns up to ``most`` rows of ``dataset``, which may be more than a query returns."""
        query = DataQuery(dataset=dataset.id)
        return self._run(query, compiled(query, {dataset.id: dataset}, self.path, most))

    def close(self) -> None:
        """Closes the database; a later query opens it again."""
        with self._opening:
            if self._database is not None:
                self._database.close()
                self._database = None

    def _connection(self) -> duckdb.DuckDBPyConnection:
        """The database, which can read only this folder. The order of the settings matters: the last one locks them."""
        import duckdb

        with self._opening:
            if self._database is None:
                database = duckdb.connect(config={"threads": THREADS, "memory_limit": MEMORY})
                folder = str(self._folder).replace("'", "''")
                database.execute(f"SET temp_directory = ''; SET allowed_directories = ['{folder}']")
                database.execute("SET enable_external_access = false")
                database.execute("SET lock_configuration = true")
                self._database = database
            return self._database


def _executed(cursor: duckdb.DuckDBPyConnection, sql: str, values: Mapping[str, object]) -> duckdb.DuckDBPyConnection:
    used = {name: value for name, value in values.items() if _uses(sql, name)}
    return cursor.execute(sql, used)


def _uses(sql: str, name: str) -> bool:
    place = sql.find(f"${name}")
    while place >= 0:
        end = place + len(name) + 1
        if not sql[end : end + 1].isdigit():
            return True
        place = sql.find(f"${name}", end)
    return False


def _result(query: DataQuery, statement: Compiled, frame: pandas.DataFrame, counts: tuple[object, ...]) -> QueryResult:
    is_cut = len(frame) > statement.limit and not query.extreme
    if is_cut:
        frame = frame.head(statement.limit)
    columns, frame = _without_single_units(statement.columns, frame)
    frame.columns = [column.name for column in columns]
    columns, frame = _pivoted(query, columns, frame)
    used, total, places, *blanks = counts
    return QueryResult(
        query=query,
        datasets=statement.datasets,
        columns=columns,
        frame=frame,
        rows_used=int(str(used)),
        rows_total=int(str(total)),
        places=tuple(int(place) for place in places or ()),  # type: ignore[attr-defined]
        blank={name: int(str(count)) for name, count in zip(statement.blanks, blanks, strict=True) if count},
        repeated=sum(dataset.repeated for dataset in statement.datasets[:1]) if query.measures else 0,
        is_cut=is_cut,
    )


def _without_single_units(
    columns: tuple[ResultColumn, ...], frame: pandas.DataFrame
) -> tuple[tuple[ResultColumn, ...], pandas.DataFrame]:
    """Where all rows have the same unit, it becomes that of the measures, and its column is left out."""
    kept = list(columns)
    for number, column in enumerate(columns):
        if column.role != "unit":
            continue
        found = frame[f"r{number}"].dropna().unique()
        if len(found) > 1 or (len(found) == 1 and frame[f"r{number}"].isna().any()):
            continue
        unit = str(found[0]) if len(found) else ""
        measured = column.name.removesuffix(" (unit)")
        kept = [
            ResultColumn(each.name, each.type, each.role, unit, each.bucket)
            if not each.unit and (each.type == "money" or (each.type == "number" and measured in each.name))
            else each
            for each in kept
        ]
        kept[kept.index(column)] = ResultColumn("", "text", "unit")
    left = [number for number, column in enumerate(kept) if not (column.role == "unit" and not column.name)]
    return tuple(kept[number] for number in left), frame.iloc[:, left]


def _pivoted(
    query: DataQuery, columns: tuple[ResultColumn, ...], frame: pandas.DataFrame
) -> tuple[tuple[ResultColumn, ...], pandas.DataFrame]:
    """Makes the values of one group to columns; the first measure fills them."""
    measures = [column for column in columns if column.role == "measure"]
    pivot = next((column for column in columns if column.role == "group" and column.name == query.pivot), None)
    rows = [column for column in columns if column.role in ("group", "unit") and column is not pivot]
    if pivot is None or not measures or not rows:
        return columns, frame
    measure = measures[0]
    wide = frame.pivot(index=[column.name for column in rows], columns=pivot.name, values=measure.name).reset_index()
    wide.columns = [str(name) for name in wide.columns]
    made = [ResultColumn(name, measure.type, "measure", measure.unit) for name in wide.columns[len(rows) :]]
    return (*rows, *made), wide
