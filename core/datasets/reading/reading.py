"""Reads the datasets of a file: finds its record tables, types their columns and writes one Parquet file for each."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from pydantic import BaseModel

from core.datasets.reading.csv_source import stage_csv
from core.datasets.reading.description import describe, group_heading
from core.datasets.reading.groups import with_groups
from core.datasets.reading.headings import Heading, headings_of
from core.datasets.reading.layout import Region, regions_of
from core.datasets.reading.long_form import LongForm
from core.datasets.reading.parquet_source import stage_parquet
from core.datasets.reading.shared_units import with_shared_units
from core.datasets.reading.staging import RawSheet, connect
from core.datasets.reading.table_source import stage_tables, tables_of
from core.datasets.reading.total_rows import repeated_headings, total_rows
from core.datasets.reading.typed_table import TypedTable, parquet
from core.datasets.reading.workbook_source import stage_other_workbook, stage_xlsx
from core.datasets.records import Column, ColumnType, Dataset
from core.ids import derived_id
from core.library.extract.sniff import TREES, format_of
from core.library.tables.records import Table
from core.settings import Settings
from core.store.files import copy_and_hash

if TYPE_CHECKING:
    import duckdb

log = logging.getLogger(__name__)

MOST_DATASETS = 200
"""Maximum number of datasets of a file."""
_MOST_LINES = 20
_LEAST_CELLS = 2


class Correction(BaseModel, frozen=True):
    """What a person has set for a column: its name, its type, or both."""

    name: str | None = None
    type: ColumnType | None = None


Corrections = Mapping[str, Mapping[str, Correction]]
"""Corrections by the ids of datasets and the keys of columns."""


def read_datasets(
    path: Path,
    filename: str,
    document_id: str,
    folder: Path,
    settings: Settings,
    corrections: Corrections | None = None,
    tables: Sequence[Table] | None = None,
) -> list[Dataset]:
    """Finds the record tables of a file and writes a Parquet file for each of them.

    Args:
        filename: decides between text formats and names a table that has no title.
        folder: the Parquet files are written here; a file is named by the SHA-256 of its content.
        corrections: names and types of columns that a person has set.
        tables: the tables that were read from a document before; its file is then not read again.

    Returns the datasets in the order of the file; none for a file without record tables.
    """
    found: list[Dataset] = []
    with tempfile.TemporaryDirectory(prefix="datasets-", dir=folder) as temporary:
        database = connect(Path(temporary))
        try:
            reader = _Reader(database, filename, document_id, folder, corrections or {})
            sheets = (
                _sheets(database, path, filename, Path(temporary), settings)
                if tables is None
                else stage_tables(database, tables, Path(temporary))
            )
            for sheet in sheets:
                found += reader.datasets_of(sheet)
                sheet.path.unlink(missing_ok=True)
                if len(found) >= MOST_DATASETS:
                    break
        finally:
            database.close()
    return found[:MOST_DATASETS]


def _sheets(
    database: duckdb.DuckDBPyConnection, path: Path, filename: str, folder: Path, settings: Settings
) -> Iterator[RawSheet]:
    kind = format_of(path, filename)
    if kind == "csv":
        yield stage_csv(database, path, folder, settings.reading.encoding)
    elif kind == "parquet":
        yield stage_parquet(database, path, folder)
    elif kind == "xlsx":
        yield from stage_xlsx(database, path, folder)
    elif kind in ("xls", "xlsb", "ods"):
        yield from stage_other_workbook(database, path, kind, folder)
    elif kind == "html" or kind in TREES:
        yield from stage_tables(database, tables_of(path, filename, settings), folder)


@dataclass
class _Reader:
    """Reads the datasets of the sheets of one file."""

    database: duckdb.DuckDBPyConnection
    filename: str
    document_id: str
    folder: Path
    corrections: Corrections

    def datasets_of(self, sheet: RawSheet) -> list[Dataset]:
        """Returns the datasets of a sheet, each followed by its long form."""
        found: list[Dataset] = []
        try:
            for number, region in enumerate(regions_of(self.database, sheet)):
                found += self._read(sheet, region, number)
        except MemoryError:
            raise
        except Exception:  # any cell may be unlike all others; the other sheets are still read
            log.warning("a sheet of %s cannot be read as a dataset", self.filename, exc_info=True)
        return found

    def _read(self, sheet: RawSheet, region: Region, number: int) -> list[Dataset]:
        identifier = derived_id("set", self.document_id, f"{sheet.name}/{sheet.number + number}")
        totals = total_rows(self.database, sheet, region)
        left_out = [*(total.row for total in totals), *repeated_headings(self.database, sheet, region)]
        own = len(region.columns)
        sheet, region, labels = with_groups(self.database, sheet, region)
        headings = headings_of([cells for _, cells in region.heads], region.columns, sheet.spans)
        if len(region.columns) > own:
            headings[-1] = Heading((), group_heading(headings))
        left_out += labels
        set_by_person = self.corrections.get(identifier, {})
        types = {key: each.type for key, each in set_by_person.items() if each.type}
        path = self.folder / f"{uuid4().hex}.tmp"
        typed = TypedTable(self.database, sheet, region, headings, path, left_out, types)
        typed.write()
        if not typed.rows or len(region.columns) * typed.rows < _LEAST_CELLS:
            path.unlink()
            return []
        titles = [*sheet.titles, *region.titles]
        columns = with_shared_units(typed.columns(), titles, typed.counted)
        dataset = Dataset(
            id=identifier,
            document_id=self.document_id,
            name=self._name(sheet, titles),
            sheet=sheet.name,
            rows=typed.rows,
            columns=tuple(_corrected(column, set_by_person) for column in columns),
            titles=tuple(titles[-_MOST_LINES:]),
            notes=tuple([*region.notes, *sheet.notes][:_MOST_LINES]),
            totals=tuple(totals),
            repeated=self._repeated(path, columns),
            head_row=region.heads[-1][0] if region.heads else 0,
            page=sheet.page,
            of_sections=sheet.of_sections,
        )
        found = [self._finished(dataset, path)]
        return [*found, *self._long_form(found[0], headings)]

    def _long_form(self, wide: Dataset, headings: Sequence[Heading]) -> list[Dataset]:
        long = LongForm(wide.columns, headings, wide.titles, wide.sheet or Path(self.filename).stem)
        if not long.periods:
            return []
        path = self.folder / f"{uuid4().hex}.tmp"
        columns = long.write(self.database, self.folder / wide.digest, path)
        counted = self.database.execute(f"SELECT count(*) FROM {parquet(path)}").fetchone()
        identifier = derived_id("set", wide.id, "long")
        set_by_person = self.corrections.get(identifier, {})
        dataset = wide.model_copy(
            update={
                "id": identifier, "name": long.name_of(wide.name), "long_of": wide.id,
                "rows": counted[0] if counted else 0,
                "columns": tuple(_corrected(column, set_by_person) for column in columns),
                "totals": (), "repeated": 0,
            }
        )  # fmt: skip
        return [self._finished(dataset, path)]

    def _name(self, sheet: RawSheet, titles: Sequence[str]) -> str:
        """The sheet's name, or the title of a table that has none, or the file's name."""
        return sheet.name or (titles[-1] if titles else "") or Path(self.filename).stem

    def _repeated(self, path: Path, columns: Sequence[Column]) -> int:
        keys = ", ".join(column.key for column in columns)
        found = self.database.execute(f"SELECT count(*) - count(DISTINCT hash({keys})) FROM {parquet(path)}").fetchone()
        return int(found[0]) if found else 0

    def _finished(self, dataset: Dataset, path: Path) -> Dataset:
        """The dataset with its description; its file gets its name."""
        digest = _digest(path)
        path.replace(self.folder / digest)
        description = describe(dataset.name, dataset.rows, dataset.columns)
        return dataset.model_copy(update={"digest": digest, "description": description})


def _corrected(column: Column, corrections: Mapping[str, Correction]) -> Column:
    correction = corrections.get(column.key)
    if correction is None:
        return column
    return column.model_copy(update={"name": correction.name or column.name, "corrected": True})


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return copy_and_hash(file).sha256
