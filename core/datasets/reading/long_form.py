"""Turns a wide table, whose columns are periods, into its long form: a row for each thing and period."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.datasets.reading.cell_kinds import is_period
from core.datasets.reading.headings import Heading
from core.datasets.reading.staging import quoted
from core.datasets.reading.typed_table import described, parquet
from core.datasets.records import ROW, Column, ColumnType
from core.language.detection import detect
from core.language.entities.calendar_words import MONTHS, years_in
from core.language.entities.periods import extent, without_periods
from core.language.total_labels import is_called_total
from core.language.vocabulary import phrase_of
from core.library.tables.periods import period_of
from core.messages import message

if TYPE_CHECKING:
    import duckdb

PeriodKind = Literal["month", "quarter", "half", "year", "name"]
_LEAST_PERIODS = 3
_LEAST_YEARS = 2
_TITLE_END = re.compile(
    rf"(?<!\s)\s{{0,3}}(?:[,(:;–—]|\s-\s|{phrase_of('datasets/columns.titles.ends')}).*$", re.IGNORECASE
)
_EDGES = re.compile(r"^[\W_]+|[^\w)%]+$")
_LONGEST_NAME = 40
_BRACKETED = re.compile(r"\(\s*([^\W\d_]{2,12})\b")


@dataclass(frozen=True)
class PeriodColumn:
    """A column of a period: its kind, its first day in ISO 8601 or its name, and what it measures besides."""

    place: int
    kind: PeriodKind
    period: str
    measure: str


@dataclass
class LongForm:
    """The long form of a wide table. ``columns`` are those of the wide table; ``titles`` may give the year of months
    and what the values measure."""

    columns: Sequence[Column]
    headings: Sequence[Heading]
    titles: Sequence[str]
    name: str

    @cached_property
    def periods(self) -> list[PeriodColumn]:
        """The columns of periods, all of one kind; empty if the table is not wide."""
        found = [
            period
            for place, (column, heading) in enumerate(zip(self.columns, self.headings, strict=True))
            if column.is_numeric and (period := self._period(place, heading))
        ]
        if not found:
            return []
        kind = Counter(period.kind for period in found).most_common(1)[0][0]
        alike = [period for period in found if period.kind == kind]
        least = _LEAST_YEARS if kind == "year" else _LEAST_PERIODS
        often = Counter(measure for measure, _ in {(period.measure, period.period) for period in alike})
        alike = [period for period in alike if often[period.measure] >= least]
        return alike if alike and self._keys(alike) else []

    @cached_property
    def keys(self) -> list[Column]:
        """The columns that name the things."""
        return self._keys(self.periods)

    def _keys(self, periods: Sequence[PeriodColumn]) -> list[Column]:
        places = {period.place for period in periods}
        return [
            column
            for place, column in enumerate(self.columns)
            if place not in places and not column.is_numeric and column.type != "date"
        ]

    def _period(self, place: int, heading: Heading) -> PeriodColumn | None:
        named = [level for level in heading.levels if is_period(level)]
        if not named or any(is_called_total(level) for level in heading.levels):
            return None
        besides = (level if level not in named else without_periods(level) for level in heading.levels)
        measure = " ".join(text for each in besides if (text := _EDGES.sub("", each)) and not is_period(text))
        month = next(
            (MONTHS[level.lower().rstrip(".")] for level in named if level.lower().rstrip(".") in MONTHS), None
        )
        if month:
            years = years_in(" ".join(heading.levels)) or _one_year([*self.titles, self.name])
            period = f"{years[0]}-{month:02d}-01" if years else named[-1]
            return PeriodColumn(place, "month" if years else "name", period, measure)
        text = " ".join(named)
        if not years_in(text) and not any(map(period_of, named)):
            years = _one_year([*self.titles, self.name])
            if not years:
                return PeriodColumn(place, "name", named[-1], measure)
            text = f"{text} {years[0]}"
        key = period_of(text) or max((key for level in named if (key := period_of(level))), key=len, default="")
        kind = _kind(key)
        if kind == "year":
            return PeriodColumn(place, kind, key, measure)
        return PeriodColumn(place, kind, extent(key)[0].isoformat(), measure) if kind else None

    def write(self, database: duckdb.DuckDBPyConnection, wide: Path, path: Path) -> list[Column]:
        """Writes the Parquet file of the long form and returns its columns."""
        kind = self.periods[0].kind
        measures = list(dict.fromkeys(period.measure for period in self.periods))
        count = len(self.keys)
        sql_type = {"year": "BIGINT", "name": "VARCHAR"}.get(kind, "DATE")
        parts = []
        for period in dict.fromkeys(column.period for column in self.periods):
            values = [
                next(
                    (f"c{each.place}" for each in self.periods if (each.period, each.measure) == (period, measure)),
                    "NULL",
                )
                for measure in measures
            ]
            cells = [f"{column.key} AS c{place}" for place, column in enumerate(self.keys)]
            cells.append(f"CAST({quoted(period)} AS {sql_type}) AS c{count}")
            cells += [f"{value} AS c{count + 1 + place}" for place, value in enumerate(values)]
            parts.append(f"SELECT {ROW}, {', '.join(cells)} FROM {parquet(wide)}")
        database.execute(
            f"COPY (SELECT * FROM ({' UNION ALL '.join(parts)}) ORDER BY {ROW}, c{count}) TO {quoted(str(path))} "
            "(FORMAT parquet, COMPRESSION zstd)"
        )
        return self._described(database, path, kind, measures)

    def _described(
        self, database: duckdb.DuckDBPyConnection, path: Path, kind: PeriodKind, measures: Sequence[str]
    ) -> list[Column]:
        counted = database.execute(f"SELECT count(*) FROM {parquet(path)}").fetchone()
        rows = counted[0] if counted else 0
        language = detect(" ".join([self.name, *(column.name for column in self.columns)]))
        period_type: ColumnType = {"year": "number", "name": "category"}.get(kind, "date")  # type: ignore[assignment]
        period_name = message(f"datasets.long.{_word(kind)}").to(language)
        count = len(self.keys)
        found = [column.model_copy(update={"key": f"c{place}"}) for place, column in enumerate(self.keys)]
        found.append(Column(key=f"c{count}", name=period_name, type=period_type))
        for place, measure in enumerate(measures):
            like = next(self.columns[period.place] for period in self.periods if period.measure == measure)
            name = measure or self._measured() or message("datasets.long.value").to(language)
            unit = like.unit or (self._unit() if like.type == "number" else "")
            found.append(Column(key=f"c{count + 1 + place}", name=name, type=like.type, unit=unit))
        return [described(database, path, column, rows) for column in found]

    def _measured(self) -> str:
        """What the title says that the values are: "Headcount by department, 2024 (FTE)" measures the headcount."""
        for title in reversed(self.titles):
            name = _TITLE_END.sub("", title).strip()
            if name and len(name) <= _LONGEST_NAME and any(map(str.isalpha, name)):
                return name
        return ""

    def _unit(self) -> str:
        """A unit in brackets in the title, written in capitals."""
        found = (match[1] for title in self.titles for match in _BRACKETED.finditer(title))
        return next((unit for unit in found if unit.isupper()), "")

    def name_of(self, wide: str) -> str:
        """Returns the name of the long form, such as "Headcount by month"."""
        language = detect(" ".join([self.name, *(column.name for column in self.columns)]))
        period = message(f"datasets.long.{_word(self.periods[0].kind)}")
        return message("datasets.long.name", name=wide, period=period.to(language).lower()).to(language)


def _word(kind: PeriodKind) -> str:
    return "month" if kind == "name" else kind


def _kind(key: str) -> PeriodKind | None:
    if len(key) == len("2024"):
        return "year"
    if "-Q" in key:
        return "quarter"
    if "-H" in key:
        return "half"
    return "month" if len(key) == len("2024-05") and key[5:].isdigit() else None


def _one_year(titles: Sequence[str]) -> list[int]:
    """The year of the first title that names exactly one."""
    for title in titles:
        years = list(dict.fromkeys(years_in(title)))
        if len(years) == 1:
            return years
    return []
