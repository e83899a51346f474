"""Defines what a question may be about: one dataset, or several that are joined on equal columns, as one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.datasets.query.model import Join
from core.datasets.records import Column, Dataset

_MOST_JOINS = 3
_LEAST_SHARED = 0.5
"""Least share of known values of a column that must also be in the column that it is joined to."""


class Values(Protocol):
    """Gives the different values of a column of a dataset; of a column with very many, a part."""

    def __call__(self, dataset: Dataset, column: Column) -> Sequence[str]: ...


def known_values(dataset: Dataset, column: Column) -> Sequence[str]:
    """Returns the values that the record of a column holds."""
    return column.values or column.samples


@dataclass(frozen=True)
class Field:
    """A column of a frame; ``name`` is its name in a query."""

    name: str
    column: Column
    dataset: Dataset

    @property
    def is_key(self) -> bool:
        """Whether each row of its dataset has another value."""
        return (
            not self.column.is_numeric
            and not self.column.nulls
            and self.column.distinct >= 0.95 * self.dataset.rows > 1
        )


@dataclass(frozen=True)
class Frame:
    """A dataset with the datasets that can be joined to it, as one table."""

    dataset: Dataset
    fields: tuple[Field, ...]
    joins: tuple[Join, ...] = ()
    others: tuple[Dataset, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its datasets, sheets and files."""
        return tuple(name for each in (self.dataset, *self.others) for name in (each.sheet, each.name) if name)

    def joins_for(self, names: Sequence[str]) -> list[Join]:
        """Returns the joins that are needed for fields with these names."""
        needed = {field.dataset.id for field in self.fields if field.name in names}
        return [join for join in self.joins if join.dataset in needed]

    def field(self, name: str) -> Field | None:
        return next((field for field in self.fields if field.name == name), None)


def frames_of(datasets: Sequence[Dataset], values: Values) -> list[Frame]:
    """Returns a frame for each dataset, and one for each dataset to which others can be joined."""
    single = [Frame(each, tuple(Field(column.name, column, each) for column in each.columns)) for each in datasets]
    return [*single, *(frame for each in datasets if (frame := _joined(each, datasets, values)))]


def _joined(base: Dataset, datasets: Sequence[Dataset], values: Values) -> Frame | None:
    """Joins to ``base`` the datasets whose key one of its columns holds."""
    joins: list[Join] = []
    others: list[Dataset] = []
    hidden: set[tuple[str, str]] = set()
    for other in datasets:
        if other.id == base.id or other.document_id != base.document_id or other.long_of or len(joins) >= _MOST_JOINS:
            continue
        pair = next((pair for column in base.columns if (pair := _key_in(base, column, other, values))), None)
        if pair:
            joins.append(Join(dataset=other.id, left=pair[0].name, right=pair[1].name))
            others.append(other)
            hidden.add((other.id, pair[1].key))
    if not joins:
        return None
    columns = [
        (each, column) for each in (base, *others) for column in each.columns if (each.id, column.key) not in hidden
    ]
    # A heading without a dataset's name means the first dataset that has it.
    seen = list[str]()
    fields = []
    for each, column in columns:
        is_first = column.name.casefold() not in seen
        seen.append(column.name.casefold())
        fields.append(Field(column.name if is_first else f"{each.name}.{column.name}", column, each))
    return Frame(base, tuple(fields), tuple(joins), tuple(others))


def _key_in(base: Dataset, column: Column, other: Dataset, values: Values) -> tuple[Column, Column] | None:
    """Returns the two columns if ``column`` holds keys of ``other``."""
    if column.is_numeric or column.is_dated or column.type == "boolean":
        return None
    match = other.column(column.name)
    if (
        not match
        or match.type in ("boolean", "date", "datetime")
        or match.distinct < 0.95 * (other.rows - other.repeated)
    ):
        return None
    own, others = set(values(base, column)), set(values(other, match))
    is_part = bool(own) and len(own & others) >= _LEAST_SHARED * len(own)
    return (column, match) if is_part and base.rows > other.rows else None
