"""Finds the columns that a query names, in one dataset or several that are joined."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.datasets.query.expressions import Term
from core.datasets.query.model import Conversion, DataQuery
from core.datasets.records import DATED, ROW, Column, Dataset
from core.errors import PalimpsestError, fail

_MOST_NAMED = 40
"""Maximum number of columns that an error lists."""


@dataclass(frozen=True)
class Source:
    """A column as a query can use it: its SQL among the rows, and the SQL of its units if these differ.
    ``has_given_unit``: it is derived, and the query says what its unit is."""

    sql: str
    column: Column
    unit_sql: str = ""
    has_given_unit: bool = False

    @property
    def term(self) -> Term:
        kind = self.column.type
        unit = "" if self.unit_sql else self.column.unit
        return Term(self.sql, unit, self.unit_sql, kind == "money", kind in DATED, kind == "percent")


@dataclass
class Columns:
    """The columns of the joined datasets, in order, and the derived ones. ``absent`` are the positions of datasets
    of which only rows without a match are used. Amounts are converted by ``convert``."""

    datasets: Sequence[Dataset]
    absent: frozenset[int] = frozenset()
    derived: dict[str, Source] = field(default_factory=dict)
    convert: Conversion | None = None

    def find(self, name: str) -> Source:
        """Returns the column with this heading or key; ``Dataset.Heading`` chooses the dataset.

        Raises:
            PalimpsestError: there is no such column, or several ("validation"); the error lists the columns.
        """
        if (made := self.derived.get(name.strip().casefold())) is not None:
            return made
        if name == ROW:
            return Source("place", Column(key=ROW, name=ROW, type="number"))
        found = [
            source(number, column, self.convert)
            for number, dataset in self._present()
            if (column := _column(dataset, name, len(self.datasets) > 1)) is not None
        ]
        if not found:
            raise self._unknown(name)
        named = [each for each in found if each.column.name.casefold() == name.strip().casefold()]
        if len(named) == 1 or len(found) == 1:
            return (named or found)[0]
        # Equal keys such as c0 mean the first dataset; equal headings are the columns by which datasets are joined.
        return found[0]

    def all(self) -> list[Source]:
        """Returns all columns; of those that several datasets have, the first."""
        made: dict[str, Source] = {}
        for number, dataset in self._present():
            for column in dataset.columns:
                made.setdefault(column.name.casefold(), source(number, column, self.convert))
        return [*made.values(), *self.derived.values()]

    def _present(self) -> list[tuple[int, Dataset]]:
        return [(number, dataset) for number, dataset in enumerate(self.datasets) if number not in self.absent]

    def _unknown(self, name: str) -> PalimpsestError:
        names = [each.column.name for each in self.all()]
        more = " …" if len(names) > _MOST_NAMED else ""
        return fail("validation", "datasets.no_column", name=name, columns=", ".join(names[:_MOST_NAMED]) + more)


def source(number: int, column: Column, convert: Conversion | None = None) -> Source:
    """Returns a column of the dataset with this position in the query."""
    unit = f"t{number}_{column.unit_key}" if column.unit_key else ""
    found = Source(f"t{number}_{column.key}", column, unit)
    return _converted(found, convert) if convert and column.is_numeric else found


def _converted(found: Source, convert: Conversion) -> Source:
    """Returns a column with its amounts converted, where there is a rate for their unit. Units have no quotes."""
    factors = dict(filter(None, map(convert.factor, convert.rates)))
    if found.unit_sql:
        unit = f"trim({found.unit_sql})"
        cases = " ".join(f"WHEN '{name}' THEN {factor!r}" for name, factor in factors.items())
        names = ", ".join(f"'{name}'" for name in factors)
        unit_sql = f"(CASE WHEN {unit} IN ({names}) THEN '{convert.to}' ELSE {found.unit_sql} END)"
        return Source(f"({found.sql} * (CASE {unit} {cases} ELSE 1 END))", found.column, unit_sql)
    own, *rest = re.split(r"(?=[/ ])", found.column.unit, maxsplit=1)
    if own not in factors:
        return found
    column = found.column.model_copy(update={"unit": "".join([convert.to, *rest])})
    return Source(f"({found.sql} * {factors[own]!r})", column)


def of_query(query: DataQuery, datasets: Mapping[str, Dataset]) -> Columns:
    """Returns the columns of the datasets that ``query`` names by id or name.

    Raises:
        PalimpsestError: one of them does not exist ("validation").
    """
    names = [query.dataset, *(join.dataset for join in query.joins)]
    absent = frozenset(number for number, join in enumerate(query.joins, start=1) if join.keep == "missing")
    return Columns([dataset_named(name, datasets) for name in names], absent, convert=query.convert)


def dataset_named(name: str, datasets: Mapping[str, Dataset]) -> Dataset:
    """Returns the dataset with this id, or else with this name.

    Raises:
        PalimpsestError: there is none or several ("validation"); the error lists the names or the ids.
    """
    if name in datasets:
        return datasets[name]
    known = name.strip().casefold()
    named = [each for each in datasets.values() if each.name.casefold() == known]
    named = named or [each for each in datasets.values() if each.sheet.casefold() == known and not each.long_of]
    if len(named) == 1:
        return named[0]
    if named:
        listed = "; ".join(f"{each.id} ({', '.join(column.name for column in each.columns[:5])})" for each in named)
        raise fail("validation", "datasets.several", name=name, datasets=listed)
    names = ", ".join(dataset.name for dataset in list(datasets.values())[:_MOST_NAMED])
    raise fail("validation", "datasets.no_dataset", name=name, datasets=names)


def _column(dataset: Dataset, name: str, several: bool) -> Column | None:
    if (column := dataset.column(name)) is not None:
        return column
    prefix, dot, rest = name.partition(".")
    if several and dot and prefix.strip().casefold() in (dataset.name.casefold(), dataset.sheet.casefold(), dataset.id):
        return dataset.column(rest)
    return None
