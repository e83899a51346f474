"""The catalogue of a portal as this room knows it: data sets, their resources, their columns."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel

from core.tools.datagov.column_kinds import ColumnKind, kind_of_column


class _Record(BaseModel, frozen=True):
    """Never changed once it is made."""


class Column(_Record):
    """``type`` as the portal's store calls it: text, numeric, timestamp."""

    name: str
    type: str = "text"

    @property
    def kind(self) -> ColumnKind | None:
        """What it holds, by its name."""
        return kind_of_column(self.name)


class Resource(_Record):
    """One file of a data set. ``stored``: its rows can be asked for; ``columns`` and ``rows`` are ``None`` while nobody
    has looked: then they are unknown, which is not absent. ``changed`` as the portal says it (ISO 8601)."""

    id: str
    title: str = ""
    format: str = ""
    url: str = ""
    changed: str = ""
    stored: bool = False
    rows: int | None = None
    columns: list[Column] | None = None

    def has(self, kind: ColumnKind) -> bool | None:
        """Whether a column of this kind is there; ``None`` where nobody knows."""
        if self.columns is None:
            return None
        return any(column.kind == kind for column in self.columns)

    def looked_at(self, columns: list[Column] | None, rows: int | None) -> Resource:
        """The same, with what somebody who looked found there."""
        return self.model_copy(update={"columns": columns, "rows": rows})


class Dataset(_Record):
    """``name`` is its address on the portal, ``publisher`` the organisation's name for people."""

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
        """The same, with each of its resources as it is then."""
        return self.model_copy(update={"resources": [change(one) for one in self.resources]})


class ResourceMap(_Record):
    """A whole catalogue; ``built_at`` in epoch seconds. ``announced`` is how many data sets the portal says it has."""

    address: str
    built_at: float
    announced: int | None = None
    datasets: list[Dataset] = []

    def find(self, identifier: str) -> Dataset | None:
        """By id, name, or the id of one of its resources."""
        for dataset in self.datasets:
            if identifier in (dataset.id, dataset.name):
                return dataset
        return next((each for each in self.datasets if any(one.id == identifier for one in each.resources)), None)

    def with_resources(self, change: Callable[[Resource], Resource]) -> ResourceMap:
        """The same, with each resource as it is then."""
        return self.model_copy(update={"datasets": [each.with_resources(change) for each in self.datasets]})

    def page(self, dataset: Dataset) -> str:
        """Its page for people."""
        return f"{self.address}/dataset/{dataset.name}"
