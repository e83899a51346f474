"""Defines the result of a query: its typed columns, its rows as a DataFrame, and the rows that it was computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.datasets.query.model import Bucket, DataQuery
from core.datasets.records import ColumnType, Dataset
from core.records.data_answer import DataColumn, Role

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result. ``unit`` is that of all values; if units differ, the column with the role *unit* holds
    them, and each row of the result has one unit only."""

    name: str
    type: ColumnType
    role: Role
    unit: str = ""
    bucket: Bucket | None = None

    @classmethod
    def of(cls, column: DataColumn) -> ResultColumn:
        """Returns the column that an answer kept."""
        return cls(column.name, column.type, column.role, column.unit, column.bucket)


@dataclass(frozen=True)
class QueryResult:
    """The rows of a result and how they came about.

    ``frame`` has a column for each of ``columns``, under its name. ``rows_used`` of ``rows_total`` rows passed the
    filters; ``places`` are the numbers of the first of them in their sheet. ``blank`` counts for each column of a
    measure its blank cells, which the measure leaves out. ``repeated`` counts the rows of the first dataset that repeat
    an earlier one, if the result measures rows. ``is_cut`` is set if the result has more rows than are shown.
    """

    query: DataQuery
    datasets: tuple[Dataset, ...]
    columns: tuple[ResultColumn, ...]
    frame: pandas.DataFrame
    rows_used: int
    rows_total: int
    places: tuple[int, ...] = ()
    blank: dict[str, int] = field(default_factory=dict)
    repeated: int = 0
    is_cut: bool = False

    @property
    def has_mixed_units(self) -> bool:
        """Whether the rows of the result are in different units or currencies."""
        return any(column.role == "unit" for column in self.columns)
