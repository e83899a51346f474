"""Defines the catalogue's records: data sets, their resources, their columns."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel

from core.tools.datagov.column_kinds import ColumnKind, kind_of_column


class _Record(BaseModel, frozen=True):
    """Base of the immutable records."""


class Column(_Record):
    """A column; ``type`` is the name that the portal's data store uses: text, numeric, timestamp."""

    name: str
    type: str = "text"

    @property
    def kind(self) -> ColumnKind | None:
        """The column's kind, by its name."""
        return kind_of_column(self.name)


class Resource(_Record):
    """One file of a data set. ``stored``: its rows can be queried. ``columns`` and ``rows`` are ``None`` until they
    have been examined; unknown does not mean absent. ``changed`` is the portal's time of change (ISO 8601)."""

    id: str
    title: str = ""
    format: str = ""
    url: str = ""
    changed: str = ""
    stored: bool = False
    rows: int | None = None
    columns: list[Column] | None = None

    def has(self, kind: ColumnKind) -> bool | None:
        """Whether the resource has a column of this kind; ``None`` if unknown."""
        if self.columns is None:
            return None
        return any(column.kind == kind for column in self.columns)

    def looked_at(self, columns: list[Column] | None, rows: int | None) -> Resource:
        """A copy with the columns and row count that were found by examining it."""
        return self.model_copy(update={"columns": columns, "rows": rows})


class Dataset(_Record):
    """A data set. ``name`` is part of its address on the portal; ``publisher`` is the organisation's display name."""

    id: str
    name: str
    title: str
    notes: str = ""
    organisation: str = ""
    publisher: str = ""
    tags: list[str] = []
    groups: list[str] = []
    resources: list[Resource] = []
    changed: str = ""

    def with_resources(self, change: Callable[[Resource], Resource]) -> Dataset:
        """A copy with ``change`` applied to each resource."""
        return self.model_copy(update={"resources": [change(one) for one in self.resources]})


class ResourceMap(_Record):
    """A whole catalogue. ``built_at`` is in epoch seconds; ``announced`` is the portal's own count of data sets."""

    address: str
    built_at: float
    announced: int | None = None
    datasets: list[Dataset] = []

    def find(self, identifier: str) -> Dataset | None:
        """The data set with this id or name, or the one that has a resource with this id."""
        for dataset in self.datasets:
            if identifier in (dataset.id, dataset.name):
                return dataset
        return next((each for each in self.datasets if any(one.id == identifier for one in each.resources)), None)

    def with_resources(self, change: Callable[[Resource], Resource]) -> ResourceMap:
        """A copy with ``change`` applied to each resource."""
        return self.model_copy(update={"datasets": [each.with_resources(change) for each in self.datasets]})

    def page(self, dataset: Dataset) -> str:
        """The address of the data set's page on the portal."""
        return f"{self.address}/dataset/{dataset.name}"
