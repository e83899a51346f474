"""Reads the different values of a column from its Parquet file, for linking words of a question to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.datasets.query.model import DataQuery, Group, Measure, Order
from core.datasets.records import Column, Dataset
from core.lru_cache import LruCache

if TYPE_CHECKING:
    from core.datasets.query.run import QueryRunner

MOST_VALUES = 10_000
"""Maximum number of different values of a column that are read; the most frequent ones."""
_COLUMNS = 500


class StoredValues:
    """Gives the different values of columns, the most frequent first. A call may read a file: use it in a thread."""

    def __init__(self, runner: QueryRunner) -> None:
        self._runner = runner
        self._known: LruCache[tuple[str, str], tuple[str, ...]] = LruCache(_COLUMNS)

    def __call__(self, dataset: Dataset, column: Column) -> Sequence[str]:
        """Returns the values of a column of texts, codes or categories; none for other columns."""
        if column.is_numeric or column.is_dated or column.type == "boolean":
            return ()
        if len(column.values) >= column.distinct > 0:
            return column.values
        key = (dataset.digest, column.key)
        found = self._known.use(key)
        if found is None:
            found = self._read(dataset, column)
            self._known[key] = found
        return found

    def _read(self, dataset: Dataset, column: Column) -> tuple[str, ...]:
        query = DataQuery(
            dataset=dataset.id,
            group=[Group(column=column.key)],
            measures=[Measure(function="count", name="rows")],
            order=[Order(by="rows", descending=True)],
            limit=MOST_VALUES,
        )
        frame = self._runner.run(query, {dataset.id: dataset}).frame
        return tuple(str(value) for value in frame.iloc[:, 0] if value is not None and value == value)
