"""Writes the rows of a table as a Parquet file with typed columns, and counts what is in each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.column_plan import (
    MOST_CATEGORIES,
    Plan,
    Sample,
    allowance,
    forced_plan,
    plan_of,
    table_of,
)
from core.datasets.reading.conversion import filled, unit_of, value_of
from core.datasets.reading.headings import Heading
from core.datasets.reading.layout import Region
from core.datasets.reading.number_text import mark_of
from core.datasets.reading.staging import RawSheet, quoted
from core.datasets.records import NUMERIC, ROW, Column, ColumnType

if TYPE_CHECKING:
    import duckdb

SAMPLE_ROWS = 4_000
_SAMPLES = 3
_FIRST = 1_000
"""Number of first rows from which samples are taken."""
_MOST_CODES = 200
_GROUP_ROWS = 100_000


@dataclass
class TypedTable:
    """A table that is being typed: its sheet, region and headings, the rows that are not rows of the table, and the
    plans of its columns."""

    database: duckdb.DuckDBPyConnection
    sheet: RawSheet
    region: Region
    headings: Sequence[Heading]
    path: Path
    left_out: Sequence[int] = ()
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    """The types that a person set, by the columns' keys."""
    plans: list[Plan] = field(default_factory=list)
    rows: int = 0
    whole: frozenset[str] = frozenset()
    """The keys of the columns with whole numbers only."""
    counted: frozenset[str] = frozenset()
    """Those of them whose cells are also written without decimals."""

    @property
    def keys(self) -> list[str]:
        return [f"c{place}" for place in range(len(self.region.columns))]

    def write(self) -> None:
        """Types the columns by a sample of their cells, and writes the file. A column in which too many cells have
        another type becomes a text."""
        samples = self._samples()
        table = table_of(samples, self.sheet.semicolons)
        self.plans = [
            forced_plan(self.types[key], sample, table) if key in self.types else plan_of(sample, table)
            for key, sample in zip(self.keys, samples, strict=True)
        ]
        self._copy()
        self.counted = frozenset(
            key for key, sample in zip(self.keys, samples, strict=True)
            if key in self.whole and mark_of(sample.texts) is None
        )  # fmt: skip
        failed = [place for place in self._failed() if self.keys[place] not in self.types]
        if failed:
            for place in failed:
                plain = replace(samples[place], name="")
                self.plans[place] = Plan("category" if plan_of(plain, table).type == "category" else "text")
            self._copy()

    def _where(self) -> str:
        some = " OR ".join(f"v{place} IS NOT NULL" for place in self.region.columns)
        left_out = f" AND {ROW} NOT IN ({', '.join(map(str, self.left_out))})" if self.left_out else ""
        return f"{ROW} BETWEEN {self.region.first} AND {self.region.last}{left_out} AND ({some})"

    def _samples(self) -> list[Sample]:
        columns = [f"v{place}" for place in self.region.columns]
        count = self.database.execute(f"SELECT count(*) FROM {self.sheet.source} WHERE {self._where()}").fetchone()
        self.rows = count[0] if count else 0
        step = self.rows // SAMPLE_ROWS + 1
        rows = self.database.execute(
            f"SELECT {', '.join(columns)} FROM {self.sheet.source} WHERE {self._where()} AND {ROW} % {step} = 0 "
            f"ORDER BY {ROW}"
            if step > 1
            else f"SELECT {', '.join(columns)} FROM {self.sheet.source} WHERE {self._where()} ORDER BY {ROW}"
        ).fetchall()
        return [
            Sample(heading.name, [row[place] for row in rows if row[place]], place == 0)
            for place, heading in enumerate(self.headings)
        ]

    def _copy(self) -> None:
        cells, joins = [ROW], ""
        for place, (key, plan) in enumerate(zip(self.keys, self.plans, strict=True)):
            column = f"v{self.region.columns[place]}"
            words = ""
            if plan.words:
                words = f"{key}_words.day"
                joins += f" LEFT JOIN {self._words(key, plan)} AS {key}_words ON {key}_words.text = {column}"
            cells.append(f"{value_of(column, plan, words)} AS {key}")
            if plan.mixed:
                cells.append(f"{unit_of(column, plan)} AS {key}_unit")
        self.whole = self._whole_columns(cells, joins)
        cells = [self._as_whole(cell) for cell in cells]
        self.database.execute(
            f"COPY (SELECT {', '.join(cells)} FROM {self.sheet.source}{joins} WHERE {self._where()} ORDER BY {ROW}) "
            f"TO {quoted(str(self.path))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_GROUP_ROWS})"
        )

    def _as_whole(self, cell: str) -> str:
        value, _, key = cell.rpartition(" AS ")
        return f"CAST({value} AS BIGINT) AS {key}" if key in self.whole else cell

    def _whole_columns(self, cells: Sequence[str], joins: str) -> frozenset[str]:
        """The number columns with whole numbers only."""
        keys = [key for key, plan in zip(self.keys, self.plans, strict=True) if plan.type in ("number", "money")]
        if not keys:
            return frozenset()
        tests = ", ".join(f"bool_and({key} = trunc({key}) AND abs({key}) < 9e15)" for key in keys)
        inner = ", ".join(cells)
        found = self.database.execute(
            f"SELECT {tests} FROM (SELECT {inner} FROM {self.sheet.source}{joins} WHERE {self._where()})"
        ).fetchone()
        return frozenset(key for key, whole in zip(keys, found or (), strict=True) if whole)

    def _words(self, key: str, plan: Plan) -> str:
        """A table of dates in words with the days that they mean."""
        self.database.execute(f"CREATE OR REPLACE TEMP TABLE {key}_dates (text VARCHAR, day TIMESTAMP)")
        self.database.executemany(f"INSERT INTO {key}_dates VALUES (?, CAST(? AS TIMESTAMP))", list(plan.words.items()))
        return f"{key}_dates"

    def _failed(self) -> list[int]:
        """The columns in which too many cells have no value."""
        given = ", ".join(f"count({filled(f'v{place}')})" for place in self.region.columns)
        values = ", ".join(f"count({key})" for key in self.keys)
        all_given = self.database.execute(f"SELECT {given} FROM {self.sheet.source} WHERE {self._where()}").fetchone()
        all_values = self.database.execute(f"SELECT {values} FROM {parquet(self.path)}").fetchone()
        pairs = zip(all_given or (), all_values or (), strict=True)
        return [place for place, (one, other) in enumerate(pairs) if one - other > allowance(one)]

    def columns(self) -> list[Column]:
        """Returns the columns with their counts."""
        return [
            described(self.database, self.path, self._column(key, heading.name, plan), self.rows, (*plan.yes, *plan.no))
            for key, heading, plan in zip(self.keys, self.headings, self.plans, strict=True)
        ]

    def _column(self, key: str, name: str, plan: Plan) -> Column:
        unit_key = f"{key}_unit" if plan.mixed else None
        return Column(key=key, name=name, type=plan.type, unit=plan.unit, unit_key=unit_key)


def parquet(path: Path) -> str:
    """Returns the SQL that reads a Parquet file."""
    return f"read_parquet({quoted(str(path))})"


def described(
    database: duckdb.DuckDBPyConnection, path: Path, column: Column, rows: int, words: Sequence[str] = ()
) -> Column:
    """Returns a column with what a file holds in it: nulls, different values, samples and ends. ``words`` are the texts
    of a boolean."""
    key, source = column.key, parquet(path)
    ends = f"min({key}), max({key})" if column.type in NUMERIC or column.is_dated else "NULL, NULL"
    count, distinct, least, most = database.execute(
        f"SELECT count({key}), count(DISTINCT {key}), {ends} FROM {source}"
    ).fetchone() or (0, 0, None, None)
    values: tuple[str, ...] = ()
    if column.type in ("category", "boolean") or (column.type == "code" and distinct <= _MOST_CODES):
        found = database.execute(
            f"SELECT {key} FROM {source} WHERE {key} IS NOT NULL GROUP BY {key} ORDER BY count(*) DESC, min({ROW}) "
            f"LIMIT {MOST_CATEGORIES}"
        ).fetchall()
        values = tuple(words) if column.type == "boolean" and words else tuple(str(row[0]) for row in found)
    samples: tuple[str, ...] = ()
    if not values:
        first = f"SELECT {key}, {ROW} FROM {source} LIMIT {_FIRST}"
        shown = database.execute(
            f"SELECT CAST({key} AS VARCHAR) FROM ({first}) WHERE {key} IS NOT NULL "
            f"GROUP BY {key} ORDER BY min({ROW}) LIMIT {_SAMPLES}"
        ).fetchall()
        samples = tuple(_plain(row[0]) for row in shown)
    return column.model_copy(
        update={
            "nulls": rows - count, "distinct": distinct, "values": values, "samples": samples,
            "least": "" if least is None else _plain(least), "most": "" if most is None else _plain(most),
        }
    )  # fmt: skip


def _plain(value: object) -> str:
    """A value as a plain decimal or in ISO 8601."""
    if isinstance(value, float):
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
