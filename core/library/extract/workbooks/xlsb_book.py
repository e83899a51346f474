"""Opens a binary workbook (XLSB) as a book of sheets: it has the same parts as XLSX, with records instead of XML."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from core.library.extract import problems
from core.library.extract.office.workbook_charts import charts_on
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.binary_records import (
    Kind,
    packed,
    real,
    records,
    rich_runs,
    whole,
    wide_text,
)
from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.cell_notes import MOST_NOTES, CellNote
from core.library.extract.workbooks.cell_styles import PLAIN, CellStyle, format_code
from core.library.extract.workbooks.number_formats import general, shown_number, shown_text
from core.library.extract.workbooks.rich_text import set_off
from core.library.extract.workbooks.sheet_rows import LAST_COLUMN, MOST_MERGED, Place, SheetRow, covered
from core.library.extract.workbooks.workbook_parts import SheetPart, WorkbookParts

_ALIGNMENTS = {1: "superscript", 2: "subscript"}
_ERRORS = {
    0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A", 43: "#GETTING_DATA",
}  # fmt: skip
_HIDDEN_ROW = 0x10
_LONGEST_RAISED = 3
_WHOLE = 1e15


class BinaryParts(WorkbookParts):
    """An open XLSB file."""

    def _read_book(self) -> None:
        relations = self.relations(self.main)
        for kind, data in self.records_of(self.main):
            if kind == Kind.BOOK_PROPERTIES:
                self.epoch_1904 = bool(whole(data, 0) & 1)
            elif kind == Kind.SHEET:
                relation_id, place = wide_text(data, 8)
                name, _ = wide_text(data, place)
                relation = relations.get(relation_id)
                if relation is None or relation.kind in ("worksheet", "chartsheet"):
                    hidden = whole(data, 0) in (1, 2)
                    self.sheets.append(SheetPart(normalise_line(name), relation.target if relation else "", hidden))

    def records_of(self, place: str) -> Iterator[tuple[int, bytes]]:
        """The records of a part up to the first damage, which is added to ``damaged``; none for a missing part."""
        name = self.names.get(place.lower())
        if name is None:
            self.damaged.append(place)
            return
        try:
            with self.archive.open(name) as part:
                yield from records(part)
        except MemoryError:
            raise
        except Exception:  # zlib.error and similar errors have no common base class
            self.damaged.append(place)


@dataclass
class _Shared:
    """Data shared by the sheets: styles, font alignments, and texts."""

    styles: list[CellStyle] = field(default_factory=list)
    alignments: list[str | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    lost: int = 0
    formats_lost: bool = False

    def alignment(self, font: int) -> str | None:
        """The alignment of a font; empty for an unknown one."""
        return self.alignments[font] if font < len(self.alignments) else None

    def rich(self, data: bytes, place: int) -> str:
        """A text with its superscript and subscript runs separated."""
        text, runs = rich_runs(data, place)
        if not runs:
            return normalise_line(text)
        starts = [0, *(start for start, _ in runs), len(text)]
        fonts: list[str | None] = [
            None,
            *(self.alignments[font] if font < len(self.alignments) else None for _, font in runs),
        ]
        parts = [set_off(text[a:b], font) for a, b, font in zip(starts, starts[1:], fonts, strict=False)]
        return normalise_line("".join(parts))


@dataclass
class _BinaryRows:
    """The rows of a sheet."""

    book: BinaryParts
    place: str
    shared: _Shared
    with_hidden: bool
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False

    def rows(self) -> Iterator[SheetRow]:
        self.hidden_columns[:], self.broken = [], False
        damaged = len(self.book.damaged)
        number, hidden = 0, False
        cells: list[str] = []
        for kind, data in self.book.records_of(self.place):
            if kind == Kind.COLUMNS:
                if whole(data, 16, 2) & 1 or not whole(data, 8):
                    self.hidden_columns.append((whole(data, 0) + 1, whole(data, 4) + 1))
            elif kind == Kind.ROW:
                if number:
                    yield SheetRow(number, cells, hidden)
                number, hidden, cells = max(whole(data, 0) + 1, number + 1), bool(whole(data, 11, 1) & _HIDDEN_ROW), []
            elif kind in _READERS and number:
                column = whole(data, 0)
                if column >= len(cells) and column < LAST_COLUMN:
                    cells += [""] * (column - len(cells))
                    cells.append(self._text(kind, data))
        if number:
            yield SheetRow(number, cells, hidden)
        self.broken = len(self.book.damaged) > damaged

    def _text(self, kind: int, data: bytes) -> str:
        place = whole(data, 4, 3)
        style = self.shared.styles[place] if place < len(self.shared.styles) else PLAIN
        try:
            value = _READERS[kind](data, self.shared)
        except (struct.error, LookupError):
            self.shared.lost += kind == Kind.SHARED
            return ""
        if isinstance(value, str):
            shown = shown_text(value, style.number_format) or (value if self.with_hidden else "")
            return set_off(normalise_line(shown), style.alignment)
        number = int(value) if abs(value) < _WHOLE and value == int(value) else value
        shown = shown_number(number, style.number_format, self.book.epoch_1904)
        if not shown and self.with_hidden:
            shown = general(number)
        return normalise_line(shown if len(shown) > _LONGEST_RAISED else set_off(shown, style.alignment))


_READERS: dict[int, Callable[[bytes, _Shared], str | int | float]] = {
    Kind.RK: lambda data, _: packed(data, 8),
    Kind.REAL: lambda data, _: real(data, 8),
    Kind.FORMULA_NUMBER: lambda data, _: real(data, 8),
    Kind.TEXT: lambda data, _: wide_text(data, 8)[0],
    Kind.FORMULA_TEXT: lambda data, _: wide_text(data, 8)[0],
    Kind.SHARED: lambda data, shared: shared.texts[whole(data, 8)],
    Kind.RICH_TEXT: lambda data, shared: shared.rich(data, 8),
    Kind.BOOLEAN: lambda data, _: "TRUE" if whole(data, 8, 1) else "FALSE",
    Kind.FORMULA_BOOLEAN: lambda data, _: "TRUE" if whole(data, 8, 1) else "FALSE",
    Kind.ERROR: lambda data, _: _ERRORS.get(whole(data, 8, 1), "#N/A"),
    Kind.FORMULA_ERROR: lambda data, _: _ERRORS.get(whole(data, 8, 1), "#N/A"),
}
"""For each kind of cell, how its value is read."""


@dataclass
class XlsbBook(Book):
    """An open XLSB file."""

    parts: BinaryParts | None = None
    shared: _Shared = field(default_factory=_Shared)

    def problems_met(self) -> list[problems.Note]:
        notes = [problems.lost_texts(self.shared.lost)] if self.shared.lost else []
        return [*notes, problems.lost_formats()] if self.shared.formats_lost else notes

    def close(self) -> None:
        if self.parts:
            self.parts.close()


def open_xlsb(path: Path, with_hidden: bool) -> XlsbBook:
    """The sheets of a file to be read.

    Raises:
        zipfile.BadZipFile: it is not an archive.
    """
    parts = BinaryParts(path)
    shared = _shared_of(parts)
    read = [part.name for part in parts.sheets if with_hidden or not part.hidden]
    sheets = [
        Sheet(
            part.name,
            _BinaryRows(parts, part.place, shared, with_hidden),
            merged=partial(_merged_in, parts, part.place),
            notes=_notes_of(parts, part.place, shared),
            added=partial(charts_on, parts, part.place, part.name, read),
            with_hidden=with_hidden,
        )
        for part in parts.sheets
        if with_hidden or not part.hidden
    ]
    hidden = [] if with_hidden else [part.name for part in parts.sheets if part.hidden]
    return XlsbBook(sheets, hidden, parts.title, parts.author, parts.created, parts, shared)


def _shared_of(parts: BinaryParts) -> _Shared:
    shared = _Shared()
    codes: dict[int, str] = {}
    within = False
    for place in parts.related(parts.main, "styles")[:1]:
        for kind, data in parts.records_of(place):
            if kind == Kind.FORMAT:
                codes[whole(data, 0, 2)] = wide_text(data, 2)[0]
            elif kind == Kind.FONT:
                shared.alignments.append(_ALIGNMENTS.get(whole(data, 6, 2)))
            elif kind in (Kind.CELL_STYLES, Kind.END_CELL_STYLES):
                within = kind == Kind.CELL_STYLES
            elif kind == Kind.STYLE and within:
                alignment = shared.alignment(whole(data, 4, 2))
                shared.styles.append(CellStyle(format_code(whole(data, 2, 2), codes), alignment))
        shared.formats_lost = place in parts.damaged
    for place in parts.related(parts.main, "sharedStrings")[:1]:
        shared.texts = [shared.rich(data, 0) for kind, data in parts.records_of(place) if kind == Kind.SHARED_ITEM]
    return shared


def _merged_in(parts: BinaryParts, place: str) -> dict[Place, Place]:
    found = [data for kind, data in parts.records_of(place) if kind == Kind.MERGED][:MOST_MERGED]
    edges = ([whole(data, at) + 1 for at in (0, 8, 4, 12)] for data in found)
    return covered((top, left, bottom, right) for top, left, bottom, right in edges)


def _notes_of(parts: BinaryParts, sheet: str, shared: _Shared) -> Sequence[CellNote]:
    authors: list[str] = []
    found: list[CellNote] = []
    for part in parts.related(sheet, "comments"):
        place, author = (0, 0), ""
        for kind, data in parts.records_of(part):
            if kind == Kind.COMMENT_AUTHOR:
                authors.append(normalise_line(wide_text(data, 0)[0]))
            elif kind == Kind.COMMENT:
                number = whole(data, 0)
                author = authors[number] if number < len(authors) else ""
                place = (whole(data, 4) + 1, whole(data, 12) + 1)
            elif kind == Kind.COMMENT_TEXT:
                text = shared.rich(data, 0)
                found.append(CellNote(place, author, text.removeprefix(f"{author}:").strip() if author else text))
    return sorted(note for note in found if note.text)[:MOST_NOTES]
