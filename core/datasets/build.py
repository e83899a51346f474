"""Builds the datasets: *record store, files, catalogue* → queries over them, and their writing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.clock import Clock
from core.datasets.query.run import QueryRunner
from core.datasets.rows.row_search import RowSearch
from core.datasets.service import Datasets
from core.datasets.store import DatasetStore
from core.datasets.writing import DatasetWriting
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.records import Document
from core.library.tables.figures import TableFigures
from core.memory.items.reading import ItemReader
from core.runs.runner import Runner
from core.settings import Settings
from core.store.files import FileStore
from core.store.scope import no_group
from core.store.truth import Truth

FOLDER = "datasets"
"""Name of the folder with local copies of the Parquet files, in the data directory."""


class DatasetServices:
    """Holds ``datasets``, which answers use, ``rows``, which the document search uses, and
    ``writing``, which the library calls when it reads a document."""

    def __init__(
        self,
        truth: Truth,
        files: FileStore,
        catalogue: Catalogue,
        settings: Settings,
        clock: Clock,
        runner: Runner,
    ) -> None:
        folder = settings.folder / FOLDER
        self.store = DatasetStore(truth, files, catalogue, folder, clock)
        queries = QueryRunner(folder)
        self.rows = RowSearch(self.store, queries)
        self.writing = DatasetWriting(
            self.store,
            catalogue,
            Contents(truth),
            files,
            ItemReader(truth, clock, settings.memory, no_group),
            settings,
            runner.quiet,
        )
        self.datasets = Datasets(self.store, queries, self.writing)

    def after(self, figures: TableFigures) -> TableFigures:
        """Returns the service that stores the figures and the datasets of a document."""
        return TableData(figures, self.writing)


@dataclass(frozen=True)
class TableData:
    """Stores all that is extracted from the tables of a document."""

    figures: TableFigures
    datasets: DatasetWriting

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        await self.figures.ensure()
        await self.datasets.ensure()

    async def prepare(self, document: Document) -> None:
        """Stores the datasets of a file of tables, so that they are ready when its text is."""
        if self.datasets.may_have(document):
            await self.datasets.write(document)

    async def covers(self, document: Document, tables: Mapping[str, int]) -> bool:
        """Returns whether the rows of these tables of a document are stored as datasets."""
        return await self.datasets.covers(document, tables)

    async def write(self, document: Document) -> None:
        """Stores what the tables of a document hold."""
        await self.figures.write(document)
        if not self.datasets.may_have(document):
            await self.datasets.write(document)

    async def catch_up(self) -> int:
        """Across all users: stores what documents lack (maintenance). Returns how many documents were done."""
        return await self.figures.catch_up() + await self.datasets.catch_up()
