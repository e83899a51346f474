"""Reads ODS: OpenDocument sheets, whose cells contain their displayed text."""

from __future__ import annotations

import zipfile
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from lxml import etree

from core.library.extract import problems
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.book import Book, Sheet, document_of
from core.library.extract.workbooks.cell_notes import MOST_NOTES, CellNote
from core.library.extract.workbooks.ods_cells import cell_text, note_on
from core.library.extract.workbooks.ods_styles import OdsStyles, attribute
from core.library.extract.workbooks.sheet_rows import LAST_COLUMN, MOST_MERGED, Rest, SheetRow, covered
from core.library.extract.workbooks.workbook_parts import Element, local
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.oasis.opendocument.spreadsheet"
MOST_CELLS = 3_000_000
MOST_REPEATED = 10_000
"""Maximum number of repetitions of a row; a short file could request millions."""
_CELLS = frozenset(("table-cell", "covered-table-cell"))
_STYLES = ("{*}style", "{*}date-style")
_UNSEEN = frozenset(("collapse", "filter"))
_CONTENT = "content.xml"


def extract_ods(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file: one table per block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: the file is encrypted, or nothing in the workbook can be read.
    """
    rest = Rest(MOST_CELLS, settings.limits.extracted_characters)
    try:
        with zipfile.ZipFile(path) as archive:
            if _is_encrypted(archive):
                raise problems.protected(filename)
        return document_of(open_ods(path, settings.reading.hidden), MIME, rest, progress)
    except (zipfile.BadZipFile, ValueError, LookupError, TypeError, NotImplementedError) as error:
        raise problems.corrupt(filename, "ODS") from error


def open_ods(path: Path, with_hidden: bool) -> Book:
    """The sheets of a file to be read.

    Raises:
        ValueError: it has no sheets.
        KeyError: it has no content.
        zipfile.BadZipFile: it is not an archive.
    """
    with zipfile.ZipFile(path) as archive:
        reader = _Reader(with_hidden)
        reader.read(archive)
        return reader.book(*_properties(archive))


@dataclass
class _Table:
    """A sheet while it is read; afterwards it is its own source of rows."""

    name: str
    hidden: bool
    held: list[SheetRow] = field(default_factory=list)
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    notes: list[CellNote] = field(default_factory=list)
    broken: bool = False
    cut: bool = False
    columns: int = 0
    column_styles: list[tuple[int, str]] = field(default_factory=list)
    row: int = 0
    repeated: int = 0

    def style_of(self, column: int) -> str:
        """The default cell style of a column, counted from 0."""
        place = bisect_right(self.column_styles, (column, "\uffff")) - 1
        return self.column_styles[place][1] if place >= 0 else ""

    def rows(self) -> Iterator[SheetRow]:
        for number, cells, hidden in self.held:
            yield SheetRow(number, list(cells), hidden)


@dataclass
class _OdsBook(Book):
    styles_lost: bool = False

    def problems_met(self) -> list[problems.Note]:
        tables = [(sheet.name, sheet.source, sheet.shown.given) for sheet in self.sheets]
        return [
            problems.only_rows(name, given)
            for name, source, given in tables
            if isinstance(source, _Table) and source.cut
        ]


class _Reader:
    """Reads the content from beginning to end, one row at a time."""

    def __init__(self, with_hidden: bool) -> None:
        self._with_hidden = with_hidden
        self._styles = OdsStyles()
        self._tables: list[_Table] = []
        self._depth = 0
        self._cells = MOST_CELLS

    def book(self, title: str | None, author: str | None, created: str | None) -> _OdsBook:
        """The workbook as read.

        Raises:
            ValueError: it has no sheets.
        """
        if not self._tables:
            raise ValueError("no sheets")
        sheets = [
            Sheet(
                table.name,
                table,
                merged=lambda ranges=table.merged: covered(ranges),  # type: ignore[misc]
                notes=table.notes,
                with_hidden=self._with_hidden,
            )
            for table in self._tables
            if self._with_hidden or not table.hidden
        ]
        hidden = [] if self._with_hidden else [table.name for table in self._tables if table.hidden]
        return _OdsBook(sheets, hidden, title, author, created)

    def read(self, archive: zipfile.ZipFile) -> None:
        """Read all tables, up to the first damage."""
        with suppress(Exception):  # unreadable styles matter little
            self._read_styles(archive)
        try:
            with archive.open(_CONTENT) as part:
                self._read(part)
        except KeyError:
            raise
        except MemoryError:
            raise
        except Exception:  # invalid XML; or zlib.error and similar errors, which have no common base class
            for table in self._tables[-1:]:
                table.broken = True

    def _read_styles(self, archive: zipfile.ZipFile) -> None:
        with archive.open("styles.xml") as part:
            for _, element in etree.iterparse(
                part, tag=_STYLES, resolve_entities=False, no_network=True, load_dtd=False
            ):
                self._styles.add(element)

    def _read(self, part: Any) -> None:
        tags = ("{*}table", "{*}table-row", "{*}table-column", *_STYLES)
        for event, element in etree.iterparse(
            part, events=("start", "end"), tag=tags, resolve_entities=False, no_network=True, load_dtd=False
        ):
            name = local(element.tag)
            if name == "table":
                self._depth += 1 if event == "start" else -1
                if event == "start" and self._depth == 1:
                    unseen = attribute(element, "style-name") in self._styles.unseen_tables
                    self._tables.append(_Table(normalise_line(attribute(element, "name")), unseen))
                elif event == "end" and not self._depth:
                    element.clear()
            elif event == "end" and not self._depth:
                self._styles.add(element)
            elif event == "end" and self._depth == 1 and name in ("table-row", "table-column"):
                self._take(element, name)
                element.clear()
                while (previous := element.getprevious()) is not None and local(previous.tag) == name:
                    element.getparent().remove(previous)

    def _take(self, element: Element, name: str) -> None:
        if not self._tables:
            return
        table = self._tables[-1]
        unseen = (
            attribute(element, "visibility") in _UNSEEN or attribute(element, "style-name") in self._styles.unseen_sizes
        )
        if name == "table-column":
            count = _repeats(element, "number-columns-repeated", LAST_COLUMN)
            table.column_styles.append((table.columns, attribute(element, "default-cell-style-name")))
            if unseen:
                table.hidden_columns.append((table.columns + 1, table.columns + count))
            table.columns += count
            return
        count = _repeats(element, "number-rows-repeated", 1 << 24)
        cells = self._row(element, table)
        number = table.row + 1
        table.row += count
        if not any(cells):
            return
        for copy in range(count):
            if (copy and table.repeated >= MOST_REPEATED) or self._cells < 0:
                table.cut = True
                return
            table.repeated += copy > 0
            self._cells -= len(cells)
            table.held.append(SheetRow(number + copy, cells, unseen))

    def _row(self, row: Element, table: _Table) -> list[str]:
        """The cells up to the last filled one; merges and comments are stored in the table."""
        cells: list[str] = []
        column = 0
        number = table.row + 1
        for cell in row:
            if local(cell.tag) not in _CELLS:
                continue
            count = min(_repeats(cell, "number-columns-repeated", LAST_COLUMN), LAST_COLUMN - column)
            if count < 1:
                break
            style = attribute(cell, "style-name") or table.style_of(column)
            text = cell_text(cell, self._styles, style, self._with_hidden) if len(cell) or cell.attrib else ""
            width = _repeats(cell, "number-columns-spanned", LAST_COLUMN)
            height = _repeats(cell, "number-rows-spanned", 1 << 20)
            if (width > 1 or height > 1) and len(table.merged) < MOST_MERGED:
                table.merged.append((number, column + 1, number + height - 1, column + width))
            if len(cell) and len(table.notes) < MOST_NOTES and (note := note_on(cell, self._styles)):
                table.notes.append(CellNote((number, column + 1), *note))
            if text and local(cell.tag) == "table-cell":
                cells += [""] * (column - len(cells)) + [text] * count
            column += count
        return cells


def _repeats(element: Element, name: str, most: int) -> int:
    text = attribute(element, name)
    return max(1, min(int(text), most)) if text.isdecimal() and len(text) < 10 else 1


def _is_encrypted(archive: zipfile.ZipFile) -> bool:
    names = archive.namelist()
    if "encrypted-package" in names:
        return True
    manifest = "META-INF/manifest.xml"
    if manifest not in names:
        return False
    with archive.open(manifest) as part:
        return b"encryption-data" in part.read(1 << 20)


def _properties(archive: zipfile.ZipFile) -> tuple[str | None, str | None, str | None]:
    """Returns (title, author, creation date) from the file's properties."""
    try:
        with archive.open("meta.xml") as part:
            tree = etree.fromstring(part.read(1 << 20), etree.XMLParser(resolve_entities=False, no_network=True))
    except (
        Exception
    ):  # zlib.error and similar errors have no common base class; a file is still readable without its properties
        return None, None, None
    said = {local(each.tag): normalise_line(each.text or "") for each in tree.iter() if isinstance(each.tag, str)}
    try:
        created = date.fromisoformat(said.get("creation-date", "")[:10]).isoformat()
    except ValueError:
        created = None
    return said.get("title") or None, said.get("initial-creator") or said.get("creator") or None, created
