"""Stores the catalogue map on disk: one file per data set, sorted by category, and indexes over all of them.

    map/resources_map.json    all data sets and resources, and when the map was built
    map/_index.json           resource → the file with its columns
    map/_field_index.json     resource → its kinds of columns, if known
    map/_category_index.json  category → data sets
    map/<category>/<set>.json one data set: its keywords, its resources, their columns

A new map is written next to the old one and then replaces it, so that a reader never sees an incomplete map.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
from collections import defaultdict
from pathlib import Path

from pydantic import BaseModel, JsonValue

from core.tools.datagov.column_kinds import ColumnKind
from core.tools.datagov.index import CatalogueIndex, IndexedDataset
from core.tools.datagov.records import Column, Dataset, Resource, ResourceMap

log = logging.getLogger(__name__)

KINDS: tuple[ColumnKind, ...] = ("phone", "address", "email", "city", "date", "coordinates", "hours", "website")
"""Kinds of columns that the field index lists."""
UNCATEGORISED = "other"
_CURRENT, _NEW, _OLD = "map", "map.new", "map.old"
_UNSAFE = re.compile(r"[^a-zA-Z0-9_-]+")


class _Column(BaseModel):
    name: str
    type: str
    semantic: ColumnKind | None = None


class _Schema(BaseModel):
    """One resource's schema: its columns."""

    resource_id: str
    title: str
    format: str
    last_modified: str
    total_records: int | None
    fields: list[_Column] | None


class _SchemaFile(BaseModel):
    dataset_id: str
    title: str
    organization: str
    categories: list[str]
    tags: list[str]
    keywords: list[str]
    resources: list[_Schema]


class MapFiles:
    """Reads and writes the map files in ``folder``; methods block, so call them in threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> ResourceMap | None:
        """The stored map; ``None`` if there is no readable one."""
        for name in (_CURRENT, _OLD):  # After a crash between the two renames, only the old map exists.
            path = self._folder / name / "resources_map.json"
            try:
                listing = ResourceMap.model_validate_json(path.read_bytes())
                return self._with_columns(listing, self._folder / name)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                log.warning("the map of open data is built anew, because it cannot be read: %s", type(error).__name__)
        return None

    def save(self, catalogue: ResourceMap, index: CatalogueIndex) -> None:
        """Replace the stored map."""
        new, current, old = (self._folder / name for name in (_NEW, _CURRENT, _OLD))
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        files = {each.dataset.id: _write_schema(new, each) for each in index.datasets}
        _write(new / "_index.json", _resource_index(catalogue, files))
        _write(new / "_field_index.json", _field_index(catalogue))
        _write(new / "_category_index.json", _category_index(index))
        listing = catalogue.with_resources(lambda one: one.looked_at(None, None))  # columns are in separate files
        (new / "resources_map.json").write_text(listing.model_dump_json(), "utf-8")
        shutil.rmtree(old, ignore_errors=True)
        if current.exists():
            os.replace(current, old)
        os.replace(new, current)
        shutil.rmtree(old, ignore_errors=True)

    def _with_columns(self, listing: ResourceMap, folder: Path) -> ResourceMap:
        index: dict[str, str] = json.loads((folder / "_index.json").read_text("utf-8"))
        known: dict[str, _Schema] = {}
        for name in set(index.values()):
            file = _SchemaFile.model_validate_json((folder / name).read_bytes())
            known |= {each.resource_id: each for each in file.resources}
        return listing.with_resources(lambda one: _filled(one, known.get(one.id)))


def _filled(one: Resource, schema: _Schema | None) -> Resource:
    if schema is None or schema.fields is None:
        return one.looked_at(None, schema.total_records if schema else None)
    return one.looked_at([Column(name=each.name, type=each.type) for each in schema.fields], schema.total_records)


def _write_schema(folder: Path, indexed: IndexedDataset) -> str:
    """Write a schema; returns its path below ``folder``."""
    dataset, category = indexed.dataset, indexed.category or UNCATEGORISED
    file = _SchemaFile(
        dataset_id=dataset.id,
        title=dataset.title,
        organization=dataset.publisher,
        categories=[category],
        tags=dataset.tags,
        keywords=sorted(set(indexed.everything.words)),
        resources=[
            _Schema(
                resource_id=one.id,
                title=one.title,
                format=one.format,
                last_modified=one.changed,
                total_records=one.rows,
                fields=None
                if one.columns is None
                else [_Column(name=each.name, type=each.type, semantic=each.kind) for each in one.columns],
            )
            for one in dataset.resources
        ],
    )
    name = f"{category}/{_filename(dataset)}"
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(file.model_dump_json(indent=1), "utf-8")
    return name


def _filename(dataset: Dataset) -> str:
    """A safe filename: the letters and digits of the data set's name, and part of its id."""
    mark = hashlib.sha256(dataset.id.encode()).hexdigest()[:8]
    return f"{_UNSAFE.sub('-', dataset.name)[:60].strip('-')}-{mark}.json"


def _resource_index(catalogue: ResourceMap, files: dict[str, str]) -> JsonValue:
    return {one.id: files[each.id] for each in catalogue.datasets for one in each.resources}


def _field_index(catalogue: ResourceMap) -> JsonValue:
    return {
        one.id: {f"has_{kind}": one.has(kind) for kind in KINDS}
        for each in catalogue.datasets
        for one in each.resources
        if one.columns is not None
    }


def _category_index(index: CatalogueIndex) -> JsonValue:
    named: defaultdict[str, list[JsonValue]] = defaultdict(list)
    for each in index.datasets:
        named[each.category or UNCATEGORISED].append(each.dataset.id)
    return dict(sorted(named.items()))


def _write(path: Path, content: JsonValue) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1), "utf-8")
