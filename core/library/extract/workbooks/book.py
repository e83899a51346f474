"""Converts a workbook of any format to a document: *its sheets* → blocks, with notes on hidden or damaged parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from core.library.extract import problems
from core.library.extract.sheet_blocks import sheet_blocks
from core.library.extract.workbooks.cell_notes import CellNote, note_blocks
from core.library.extract.workbooks.sheet_rows import Place, Rest, SheetRow, ShownRows
from core.library.extracted import Block, Extracted, Progress

_MOST_TOLD = 10
"""Maximum number of sheets whose hidden rows and columns are counted in a note."""


class RowSource(Protocol):
    """Source of a sheet's rows. Hidden columns, (first, last) from 1, are known once the first row is read."""

    hidden_columns: list[tuple[int, int]]
    broken: bool

    def rows(self) -> Iterator[SheetRow]:
        """The rows, each time from the first one."""


def _no_merged() -> dict[Place, Place]:
    return {}


def _nothing() -> list[Block]:
    return []


@dataclass
class Sheet:
    """A sheet to be read. ``lines`` is the estimated number of rows; ``added`` returns the texts of its drawings."""

    name: str
    source: RowSource
    merged: Callable[[], dict[Place, Place]] = _no_merged
    notes: Sequence[CellNote] = ()
    added: Callable[[], list[Block]] = _nothing
    with_hidden: bool = False
    lines: int = 0
    shown: ShownRows = field(default_factory=ShownRows)

    def __post_init__(self) -> None:
        self.shown.with_hidden = self.with_hidden
        self.shown.noted = frozenset(note.place[0] for note in self.notes)

    def within(self, rest: Rest) -> tuple[list[list[str]], bool]:
        """Returns (rows as displayed, texts repeated over merged cells; whether these are all rows)."""
        self.shown.merged = self.merged()
        return self.shown.within(self.source.rows(), self.source.hidden_columns, rest)

    def stream(self) -> Iterator[list[str]]:
        """Rows one at a time, without holding them in memory."""
        self.shown.merged = {}
        return self.shown.of(self.source.rows(), self.source.hidden_columns)

    def blocks_below(self) -> list[Block]:
        """The sheet's content other than its rows, available once these are read."""
        return [*note_blocks(self.notes, self.shown, self.source.hidden_columns, self.name), *self.added()]


@dataclass
class Book:
    """An open workbook; ``hidden_sheets`` are those that are not read."""

    sheets: list[Sheet]
    hidden_sheets: list[str] = field(default_factory=list)
    title: str | None = None
    author: str | None = None
    created: str | None = None

    def problems_met(self) -> list[problems.Note]:
        """Notes on what could not be read, available at the end."""
        return []

    def close(self) -> None:
        """Close the file."""

    def notes(self) -> list[problems.Note]:
        """Notes on hidden, then on damaged content, available at the end."""
        found = [problems.hidden_sheets(self.hidden_sheets)] if self.hidden_sheets else []
        hiding = [sheet for sheet in self.sheets if sheet.shown.left_out_rows or sheet.shown.left_out_columns]
        for sheet in hiding[:_MOST_TOLD]:
            found.append(problems.hidden_cells(sheet.name, sheet.shown.left_out_rows, sheet.shown.left_out_columns))
        errors = sum((sheet.shown.errors for sheet in self.sheets), Counter[str]())
        if errors:
            found.append(problems.error_cells(errors.total(), list(errors)))
        return [*found, *self.problems_met()]


def document_of(book: Book, mime: str, rest: Rest, progress: Progress) -> Extracted:
    """The document: one table per block of filled rows, then the sheet's cell comments; ``pages`` is the number of
    sheets.

    Raises:
        ValueError: there is no sheet, or none could be read.
    """
    blocks: list[Block] = []
    notes: list[problems.Note] = []
    unread = 0
    for number, sheet in enumerate(book.sheets):
        rows, complete = sheet.within(rest)
        blocks += sheet_blocks(rows, sheet.name)
        blocks += sheet.blocks_below()
        if sheet.source.broken:
            unread += not rows
            notes.append(problems.damaged_sheet(sheet.name, sheet.shown.given))
        elif not complete:
            notes.append(problems.only_rows(sheet.name, len(rows)))
        progress(number + 1, len(book.sheets))
    if not (book.sheets or book.hidden_sheets) or (unread and unread == len(book.sheets)):
        raise ValueError("no sheet can be read")
    return Extracted(
        blocks=blocks,
        mime=mime,
        pages=len(book.sheets),
        title=book.title,
        author=book.author,
        created=book.created,
        notes=[*notes, *book.notes()],
    )
