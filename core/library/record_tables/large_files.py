"""Reads tables that are too large for memory: *a CSV or workbook* → its passages one by one, and its description.

The passages hold all rows, or the beginning of a table whose rows are stored as a dataset. A table within the limits is
kept whole. A longer one is not kept, so that no answer is computed from only a part of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path

from core.errors import PalimpsestError
from core.library.chunking.chunks import Chunk, chunk_structure
from core.library.description.description import describe
from core.library.extract import problems
from core.library.extract.csv import MIME as CSV
from core.library.extract.csv import title_line_count, with_full_head
from core.library.extract.cuts import Cuts
from core.library.extract.encodings import encoding_label
from core.library.extract.sheet_blocks import sheet_blocks
from core.library.extract.sniff import Format
from core.library.extract.table import table_block
from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.sheet_rows import Rest
from core.library.extract.xlsx import MIME as XLSX
from core.library.extracted import Block, Extracted
from core.library.record_tables.bounds import (
    BEGINNING_ROWS,
    KEPT_CELLS,
    KEPT_CHARACTERS,
    KEPT_ROWS,
    PASSAGE_ROWS,
    SMALL_ROWS,
)
from core.library.record_tables.columns import SAMPLE_ROWS, text_columns
from core.library.record_tables.csv_rows import csv_rows, dialect_of
from core.library.record_tables.keeping import marked, without_unkept
from core.library.record_tables.passages import RowPacker, TextPlace, row_line
from core.library.record_tables.xlsx_rows import sheet_rows, streamed_workbook
from core.library.records import Metadata
from core.library.structure.records import Section
from core.library.structure.sections import structure_of
from core.library.tables.decimal_marks import with_decimal_marks
from core.library.tables.grid import grid_of
from core.library.tables.heads import count_heads
from core.library.tables.records import Table
from core.settings import Settings

Rows = Iterator[list[str]]
Progress = Callable[[int, int], None]
"""Reports progress: called with the number of rows read so far and the estimated total."""
_DESCRIBED = 5
"""Number of sheets whose beginning is used to describe a workbook."""


@dataclass(frozen=True)
class _Part:
    """A whole CSV file or one sheet: its name, and the sheet itself. ``lines`` is the estimated number of rows;
    ``rows`` starts to read them."""

    rows: Callable[[], Rows]
    lines: int
    sheet: str | None = None
    source: Sheet | None = None


@dataclass
class LargeFile:
    """A large table file, read once and in order: ``metadata`` first, then ``pieces``; the other values are known
    afterwards. ``as_dataset``: its rows are stored as a dataset, so long tables have passages for their beginning only;
    ``shortened`` are these tables, by sheet, with their estimated number of rows."""

    path: Path
    filename: str
    found: Format
    settings: Settings
    progress: Progress
    mime: str = ""
    pages: int | None = None
    sections: list[Section] = field(default_factory=list)
    tokens: int = 0
    as_dataset: bool = False
    shortened: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._cuts = Cuts()
        self._opening_notes: list[problems.Note] = []
        self._place = TextPlace(vectors=self.settings.limits.table_vectors)
        self._rows = self._tables = 0
        self._kept_all = True
        self._was_cut = False
        self._digest = hashlib.sha256()
        self._own: dict[str, str | None] = {}
        self._book: Book | None = None
        self._damaged: list[problems.Note] = []
        self._parts = self._opened()
        self._lines = sum(part.lines for part in self._parts)

    def _opened(self) -> list[_Part]:
        if self.found == "csv":
            self.mime = CSV
            dialect = dialect_of(self.path, self.settings.reading.encoding)
            if not dialect.is_sure:
                self._opening_notes.append(problems.guessed_encoding(encoding_label(dialect.encoding)))
            return [_Part(partial(csv_rows, self.path, dialect, self._cuts), dialect.lines)]
        self.mime = XLSX
        try:
            book = streamed_workbook(self.path, self.settings.reading.hidden)
        except MemoryError:
            raise
        except Exception as error:  # parsers can raise anything on unexpected input
            raise problems.corrupt(self.filename, "XLSX") from error
        self._book = book
        self.pages, self._own = len(book.sheets), {"title": book.title, "author": book.author}
        return [_Part(partial(sheet_rows, each, self._cuts), each.lines, each.name, each) for each in book.sheets]

    @property
    def text_sha256(self) -> str:
        if self.shortened:
            with self.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        return self._digest.hexdigest()

    @property
    def notes(self) -> list[problems.Note]:
        notes = [*self._opening_notes, *self._cuts.notes()]
        if self._was_cut:
            notes.append(problems.only_table_rows(self.settings.limits.table_rows))
        if self.shortened:
            notes.append(problems.rows_in_dataset(BEGINNING_ROWS))
        elif not self._kept_all:
            notes.append(problems.found_by_words(self._rows))
        if self._place.vectors <= 0:
            notes.append(problems.texts_by_words(self.settings.limits.table_vectors))
        return [*notes, *self._damaged, *(self._book.notes() if self._book else [])]

    def metadata(self) -> Metadata:
        """Describe the file from its beginning."""
        blocks: list[Block] = []
        for part in self._parts[:_DESCRIBED]:
            head = list(islice(part.rows(), SMALL_ROWS))
            blocks += sheet_blocks(list(map(_trimmed, head)), part.sheet) if part.sheet else _Head.of(head).blocks
        self._cuts.clear()
        return describe(Extracted(blocks=blocks, mime=self.mime, **self._own), self.filename)

    def pieces(self) -> Iterator[Chunk | Table]:
        """Yield passages and tables; each table that is kept comes before its passages.

        Raises:
            PalimpsestError: the file is damaged.
        """
        try:
            for part in self._parts:
                start = self._place.offset
                most = min(PASSAGE_ROWS, KEPT_ROWS) if self.as_dataset else KEPT_ROWS
                kept = self._whole_sheet(part.source) if part.source and part.lines <= most else None
                yield from self._kept_part(part.sheet or "", kept) if kept is not None else self._streamed(part)
                if part.source:
                    yield from self._beyond_rows(part.source)
                if part.sheet and self._place.offset > start:
                    self.sections.append(
                        Section(title=part.sheet, level=1, path=[part.sheet], start=start, end=self._place.offset)
                    )
        except (PalimpsestError, MemoryError):
            raise
        except Exception as error:  # a parser failed on unexpected input
            raise problems.corrupt(self.filename, self.found.upper()) from error

    def _counted(self, rows: Rows) -> Rows:
        """Yield rows up to the limit of a file."""
        for row in rows:
            if not any(row):
                continue
            if self._rows >= self.settings.limits.table_rows:
                self._was_cut = True
                return
            self._rows += 1
            if not self._rows % 5_000:
                self.progress(self._rows, max(self._lines, self._rows))
            yield row

    def _streamed(self, part: _Part) -> Iterator[Chunk]:
        rows = self._counted(part.rows())
        sample = list(islice(rows, SAMPLE_ROWS))
        head = _Head.of(sample[:SMALL_ROWS])
        self._rows -= head.rows
        texts = text_columns(sample[head.rows :])
        packer = RowPacker(
            header=head.text,
            texts=texts,
            budget=self.settings.chunking.max_tokens,
            place=self._place,
            path=[part.sheet] if part.sheet else [],
        )
        self._kept_all = False
        records: Rows = chain(sample[head.rows :], rows)
        if self.as_dataset and part.lines > PASSAGE_ROWS:
            records = self._beginning(records, part, has_texts=bool(texts))
        for chunk in packer.chunks(records):
            yield self._noted(chunk)
        self._place.offset += 1

    def _beginning(self, rows: Rows, part: _Part, *, has_texts: bool) -> Rows:
        """Yield the first rows, and further ones while passages with texts get vectors."""
        for number, row in enumerate(rows):
            if number >= BEGINNING_ROWS and not (has_texts and self._place.vectors > 0):
                self.shortened[part.sheet or ""] = part.lines
                return
            yield row

    def _whole_sheet(self, sheet: Sheet) -> list[list[str]] | None:
        """The rows of a sheet of ordinary length; ``None`` when there are too many to hold."""
        rows, complete = sheet.within(Rest(2 * KEPT_CELLS, KEPT_CHARACTERS))
        return rows if complete else None

    def _beyond_rows(self, sheet: Sheet) -> Iterator[Chunk]:
        """The cell comments and the texts in drawings of a sheet, added after its rows."""
        if sheet.source.broken:
            self._damaged.append(problems.damaged_sheet(sheet.name, sheet.shown.given))
        if blocks := sheet.blocks_below():
            yield from self._placed(chunk_structure(structure_of(blocks), self.settings.chunking), 0)

    def _kept_part(self, sheet: str, rows: list[list[str]]) -> Iterator[Chunk | Table]:
        """Read a sheet of ordinary length, as in a small workbook."""
        self._rows += sum(map(bool, rows))
        blocks = with_decimal_marks(sheet_blocks(rows, sheet))
        found = Extracted(blocks=blocks, mime=self.mime).tables
        chunks, vectors = marked(
            chunk_structure(structure_of(blocks), self.settings.chunking), blocks, self._place.vectors
        )
        chunks, tables = without_unkept(chunks, found)
        self._kept_all = self._kept_all and len(tables) == len(found)
        yield from tables
        yield from self._placed(chunks, vectors)
        self._tables += len(tables)

    def _placed(self, chunks: Sequence[Chunk], vectors: int) -> Iterator[Chunk]:
        """Move a part's chunks to their positions in the document."""
        for chunk in chunks:
            yield self._noted(self._moved(chunk))
        self._place.vectors -= vectors
        self._place.position += len(chunks)
        self._place.offset += max((chunk.end for chunk in chunks), default=0) + 2

    def _moved(self, chunk: Chunk) -> Chunk:
        """Move a sheet's chunk to its position in the document."""
        place = self._place
        moved = {
            "table": None if chunk.table is None else chunk.table + self._tables,
            "position": chunk.position + place.position,
            "start": chunk.start + place.offset,
            "end": chunk.end + place.offset,
        }
        return chunk.model_copy(update=moved)

    def _noted(self, chunk: Chunk) -> Chunk:
        self.tokens += chunk.token_count
        self._digest.update(chunk.text.encode())
        return chunk


@dataclass(frozen=True)
class _Head:
    """The head of a table: the ``rows`` before the first record, and the text that they add to every passage."""

    rows: int
    text: str
    blocks: list[Block]

    @classmethod
    def of(cls, sample: list[list[str]]) -> _Head:
        filled = [row for row in sample if any(row)]
        titles = title_line_count(filled)
        filled = [*filled[:titles], *with_full_head(filled[titles:])]
        lines = [" ".join(filter(None, row)) for row in filled[:titles]]
        blocks = [Block(text=line) for line in lines if line]
        table = table_block(filled[titles:], above=lines)
        grid = grid_of(filled[titles:])
        count = count_heads(grid) if grid else 0
        heads = [row_line(row) for row in filled[titles : titles + count]]
        return cls(titles + count, "\n".join([*lines, *heads]), [*blocks, *([table] if table else [])])


def _trimmed(row: list[str]) -> list[str]:
    """The row without empty cells at its end."""
    return row[: max((place + 1 for place, cell in enumerate(row) if cell), default=0)]
