"""Writes the datasets of a document when it is read, and of older documents while the process is idle."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path

from core.datasets.reading.process import UnreadableTablesError, read_in_process
from core.datasets.reading.prose_sections import ProseSection, prose_section_tables
from core.datasets.reading.reading import Correction
from core.datasets.reading.section_source import TextLine, section_tables
from core.datasets.reading.table_source import are_things
from core.datasets.records import ColumnType, Dataset
from core.datasets.store import DatasetStore
from core.errors import fail
from core.library.catalogue import Catalogue
from core.library.contents import Contents
from core.library.records import Document
from core.library.tables.records import Table
from core.library.viewing.passages import own_texts
from core.memory.items.reading import ItemReader
from core.settings import Settings
from core.store.files import FileStore
from core.store.items import MemoryItem

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Maximum number of older documents in one maintenance run."""
LEAST_ROWS = 0.5
"""Least share of the estimated rows of a long table that a dataset must hold to replace its passages."""
BREATH = 0.05
"""Seconds to pause between two older documents, so that other tasks can run."""
TABLE_FILES = frozenset(
    (
        ".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods", ".parquet", ".html", ".htm", ".json",
        ".jsonl", ".ndjson", ".xml", ".yaml", ".yml",
    )
)  # fmt: skip
"""Endings of the names of files that are read for their tables; of other documents, the stored tables are used."""
_PAGES = frozenset((".html", ".htm"))


def is_table_file(filename: str) -> bool:
    """Returns whether a file is read for its tables."""
    return Path(filename).suffix.lower() in TABLE_FILES


def is_data_file(filename: str) -> bool:
    """Returns whether a file holds only data; a web page may be a report."""
    return is_table_file(filename) and Path(filename).suffix.lower() not in _PAGES


class DatasetWriting:
    """Reads and stores datasets. ``idle`` returns when this process answers no question, or after a while."""

    def __init__(
        self,
        store: DatasetStore,
        catalogue: Catalogue,
        contents: Contents,
        files: FileStore,
        items: ItemReader,
        settings: Settings,
        idle: Callable[[], Awaitable[None]],
    ) -> None:
        self._store, self._catalogue, self._contents = store, catalogue, contents
        self._files, self._items, self._settings, self._idle = files, items, settings, idle

    async def ensure(self) -> None:
        """Creates what is missing in the record store."""
        await self._store.ensure()

    def may_have(self, document: Document) -> bool:
        """Returns whether datasets are looked for in the file of a document, and not in its stored tables."""
        return is_table_file(document.filename)

    async def write(self, document: Document) -> None:
        """Reads and stores the datasets of a document that has just been read, in place of its earlier ones. A failure
        is logged and does not fail the reading; the next maintenance run tries again."""
        try:
            await self._write(document)
        except Exception:
            log.warning("the datasets of %s are left to the next upkeep", document.id, exc_info=True)

    async def covers(self, document: Document, tables: Mapping[str, int]) -> bool:
        """Returns whether each of these tables of a document is a dataset with at least half of its estimated rows,
        which may include lines inside cells. ``tables``: numbers of rows, by sheet."""
        stored = await self._store.of_user(document.user_id, {document.id})
        rows = {dataset.sheet: dataset.rows for dataset in reversed(stored) if not dataset.long_of}
        return all(rows.get(sheet, 0) >= LEAST_ROWS * count for sheet, count in tables.items())

    async def catch_up(self) -> int:
        """Across all users: stores the datasets of documents that lack them, and removes files that are not used any
        more (maintenance). Returns how many documents were read; a later call continues."""
        lacking = await self._catalogue.completed_besides(await self._store.written(), AT_ONCE)
        for document in lacking:
            await self._idle()
            await self.write(document)
            await asyncio.sleep(BREATH)
        await self._store.remove_unused()
        return len(lacking)

    async def correct_column(
        self, user_id: str, dataset_id: str, key: str, *, name: str | None = None, type: ColumnType | None = None
    ) -> Dataset:
        """Sets the name or the type of a column, and reads the document's datasets again. Both outlive any further
        reading.

        Raises:
            PalimpsestError: the user has no such dataset or column ("not_found").
        """
        dataset = await self._own(user_id, dataset_id, key)
        await self._store.correct(user_id, dataset, key, Correction(name=name, type=type))
        await self._write(await self._catalogue.get(user_id, dataset.document_id))
        return await self._own(user_id, dataset_id)

    async def restore_column(self, user_id: str, dataset_id: str, key: str) -> Dataset:
        """Removes what a person has set for a column, and reads the document's datasets again.

        Raises:
            PalimpsestError: the user has no such dataset or column ("not_found").
        """
        dataset = await self._own(user_id, dataset_id, key)
        await self._store.restore(user_id, dataset, key)
        await self._write(await self._catalogue.get(user_id, dataset.document_id))
        return await self._own(user_id, dataset_id)

    async def _own(self, user_id: str, dataset_id: str, key: str | None = None) -> Dataset:
        """A dataset of one of the user's own documents, which only they may correct; it has the column ``key``."""
        own = {document.id for document in await self._catalogue.seen(user_id) if document.user_id == user_id}
        datasets = await self._store.of_user(user_id, own)
        found = next((dataset for dataset in datasets if dataset.id == dataset_id), None)
        if found is None:
            raise fail(
                "not_found", "datasets.no_dataset", name=dataset_id, datasets=", ".join(d.name for d in datasets)
            )
        if key is not None and all(column.key != key for column in found.columns):
            names = ", ".join(column.name for column in found.columns)
            raise fail("not_found", "datasets.no_column", name=key, columns=names)
        return found

    async def _tables(self, document: Document) -> list[Table]:
        """The tables of a document whose rows are things, then those of its repeated sections."""
        user_id, identifier = document.user_id, document.id
        found: list[Table] = []
        if await self._contents.count_tables(user_id, identifier):
            found = [table for table in await self._contents.tables(user_id, identifier) if are_things(table)]
        passages = await self._items.of_document(user_id, identifier)
        listed = await asyncio.to_thread(lambda: section_tables(_text_lines(passages)))
        return [*found, *(listed or await asyncio.to_thread(lambda: prose_section_tables(_sections(passages))))]

    async def _write(self, document: Document) -> None:
        user_id, identifier = document.user_id, document.id
        with tempfile.TemporaryDirectory(prefix="palimpsest-datasets-") as name:
            folder, found = Path(name), list[Dataset]()
            tables = None if self.may_have(document) else await self._tables(document)
            if tables is None or tables:
                corrections = await self._store.corrections(user_id, identifier)
                settings = document.settings(self._settings)
                try:
                    async with self._files.open(document.sha256, user_id) as path:
                        found = await read_in_process(
                            path, document.filename, identifier, folder, settings, corrections, tables
                        )
                except UnreadableTablesError:
                    # The same file would fail again, so the document counts as done.
                    log.exception("no datasets could be read from %s", identifier)
            await self._store.put(document, found, folder)


def _text_lines(passages: Sequence[MemoryItem]) -> Iterator[TextLine]:
    """The lines of a document outside its tables."""
    for passage, text in zip(passages, own_texts(passages), strict=True):
        book = passage.source.book
        if book is None or book.table is None:
            for line in text.split("\n"):
                yield TextLine(line, book.page if book else None)


def _sections(passages: Sequence[MemoryItem]) -> list[ProseSection]:
    """The sections of a document outside its tables, with the headings above them."""
    books = [(passage.source.book, text) for passage, text in zip(passages, own_texts(passages), strict=True)]
    return [
        ProseSection(tuple(book.path), text, book.page)
        for book, text in books
        if book is not None and book.table is None and book.role == "body"
    ]
