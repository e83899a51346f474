"""Defines CKAN's responses as records; other fields of a portal are ignored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, JsonValue

from core.tools.datagov.records import Column, Dataset, Resource
from core.tools.tool import Cell

_Text = Annotated[str, BeforeValidator(lambda value: "" if value is None else str(value))]
STORE_ROW = "_id"
"""Name of the data store's row number column, which is not one of the publisher's columns."""


class _Named(BaseModel):
    name: _Text = ""
    title: _Text = ""
    display_name: _Text = ""

    @property
    def label(self) -> str:
        return self.title or self.display_name or self.name


class _Resource(BaseModel):
    id: str
    name: _Text = ""
    format: _Text = ""
    url: _Text = ""
    last_modified: _Text = ""
    metadata_modified: _Text = ""
    created: _Text = ""
    datastore_active: bool | None = False

    def record(self) -> Resource:
        return Resource(
            id=self.id,
            title=self.name.strip(),
            format=self.format.strip().upper(),
            url=self.url,
            changed=self.last_modified or self.metadata_modified or self.created,
            stored=bool(self.datastore_active),
        )


class Package(BaseModel):
    """A data set, as ``package_show`` and ``package_search`` return it."""

    id: str
    name: _Text = ""
    title: _Text = ""
    notes: _Text = ""
    organization: _Named | None = None
    tags: list[_Named] = []
    groups: list[_Named] = []
    resources: list[_Resource] = []
    metadata_modified: _Text = ""

    def record(self) -> Dataset:
        resources = [each.record() for each in self.resources]
        return Dataset(
            id=self.id,
            name=self.name or self.id,
            title=self.title.strip() or self.name,
            notes=self.notes.strip(),
            organisation=self.organization.name if self.organization else "",
            publisher=self.organization.label.strip() if self.organization else "",
            tags=[each.label.strip() for each in self.tags],
            groups=[each.label.strip() for each in self.groups],
            resources=resources,
            changed=max([each.changed for each in resources], default="") or self.metadata_modified,
        )


class PackagePage(BaseModel):
    count: int = 0
    results: list[Package] = []


class _Entry(_Named):
    package_count: int | None = None


class _Field(BaseModel):
    id: str
    type: _Text = "text"


class StorePage(BaseModel):
    """A page of rows. ``total`` is the portal's count of all matches, if it gave one."""

    fields: list[_Field] = []
    records: list[dict[str, JsonValue]] = []
    total: int | None = Field(default=None, ge=0)

    @property
    def columns(self) -> list[Column]:
        return [Column(name=each.id, type=each.type) for each in self.fields if each.id != STORE_ROW]

    def rows(self, names: Sequence[str]) -> list[list[Cell]]:
        """The cells of the given columns, row by row."""
        return [[_cell(record.get(name)) for name in names] for record in self.records]


def _cell(value: JsonValue) -> Cell:
    if isinstance(value, str):
        return value.strip()
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def entry_of(said: JsonValue) -> tuple[str, str, int | None]:
    """``(name, title, number of data sets)`` of an organisation, a group or a tag; the input may be only a name."""
    if isinstance(said, str):
        return said, said, None
    entry = _Entry.model_validate(said)
    return entry.name, entry.label, entry.package_count
