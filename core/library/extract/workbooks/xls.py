"""Reads XLS: the workbooks of Excel 97 to 2003 and before, with the same result as for XLSX."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import xlrd
from python_calamine import CalamineError, PasswordError

from core.library.extract import problems
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.book import Book, Sheet, document_of
from core.library.extract.workbooks.calamine_book import open_with_calamine
from core.library.extract.workbooks.cell_notes import MOST_NOTES, CellNote
from core.library.extract.workbooks.number_formats import general, shown_number, shown_text
from core.library.extract.workbooks.ole_properties import ole_properties
from core.library.extract.workbooks.rich_text import set_off
from core.library.extract.workbooks.sheet_rows import MOST_MERGED, Place, Rest, SheetRow, covered
from core.library.extract.workbooks.xml_workbook import open_xml
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.ms-excel"
MOST_CELLS = 3_000_000
_LONGEST_RAISED = 3
_ALIGNMENTS = {1: "superscript", 2: "subscript"}
_VISIBLE = 0
_MARK = 8
"""First bytes: XML may begin with a byte order mark; a binary container has no bracket there."""
_WHOLE = 1e15


def extract_xls(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file: one table per block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: the file is encrypted, or nothing in the workbook can be read.
    """
    rest = Rest(MOST_CELLS, settings.limits.extracted_characters)
    data = path.read_bytes()
    try:
        return document_of(open_xls(data, settings.reading.hidden), MIME, rest, progress)
    except MemoryError:
        raise
    except Exception as error:  # the parser can raise anything on unexpected input
        if "encrypted" in str(error).lower():
            raise problems.protected(filename) from error
    try:
        return document_of(open_with_calamine(data, settings.reading.hidden), MIME, rest, progress)
    except PasswordError as error:
        raise problems.protected(filename) from error
    except (CalamineError, ValueError) as error:
        raise problems.corrupt(filename, "XLS") from error


@dataclass
class _OldBook(Book):
    formats_lost: bool = False

    def problems_met(self) -> list[problems.Note]:
        return [problems.lost_formats()] if self.formats_lost else []


def open_xls(data: bytes, with_hidden: bool) -> Book:
    """The sheets of a file to be read, including the XML variant.

    Raises:
        xlrd.XLRDError: it is encrypted, or no workbook; or any other error of the parser.
    """
    if b"<" in data[:_MARK]:
        return open_xml(data, with_hidden)
    formats = True
    try:
        book = _opened(data, formats)
    except (xlrd.XLRDError, MemoryError):
        raise
    except Exception:  # the parser fails most often on styles
        formats = False
        book = _opened(data, formats)
    sheets = []
    hidden = []
    for sheet in book.sheets():
        name = normalise_line(sheet.name)
        if sheet.visibility != _VISIBLE and not with_hidden:
            hidden.append(name)
            continue
        sheets.append(
            Sheet(
                name,
                _OldRows(book, sheet, formats, with_hidden, _hidden_columns(sheet)),
                merged=partial(_merged_in, sheet),
                notes=_notes_of(sheet),
                with_hidden=with_hidden,
            )
        )
    return _OldBook(sheets, hidden, *ole_properties(data), formats_lost=not formats)


def _opened(data: bytes, formats: bool) -> Any:
    return xlrd.open_workbook(
        file_contents=data,
        formatting_info=formats,
        ragged_rows=True,
        logfile=io.StringIO(),
        ignore_workbook_corruption=True,
    )


@dataclass
class _OldRows:
    """The rows of a sheet; numbers are formatted if the formats could be read."""

    book: Any
    sheet: Any
    formats: bool
    with_hidden: bool
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False

    def rows(self) -> Iterator[SheetRow]:
        for row in range(self.sheet.nrows):
            info = self.sheet.rowinfo_map.get(row)
            hidden = bool(info and (info.hidden or info.height == 0))
            cells = [self._text(row, column) for column in range(self.sheet.row_len(row))]
            yield SheetRow(row + 1, cells, hidden)

    def _text(self, row: int, column: int) -> str:
        kind, value = self.sheet.cell_type(row, column), self.sheet.cell_value(row, column)
        if kind in (xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK):
            return ""
        code, alignment = self._style(row, column)
        if kind in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
            return self._number(value, code, alignment)
        if kind == xlrd.XL_CELL_BOOLEAN:
            return "TRUE" if value else "FALSE"
        if kind == xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(value, "#N/A"))
        text = normalise_line(self._runs(row, column, str(value)))
        shown = normalise_line(shown_text(text, code)) or (text if self.with_hidden else "")
        return set_off(shown, alignment) if alignment else shown

    def _number(self, value: float, code: str, alignment: str | None) -> str:
        number = int(value) if abs(value) < _WHOLE and value == int(value) else value
        shown = shown_number(number, code, bool(self.book.datemode))
        if not shown and self.with_hidden:
            shown = general(number)
        return set_off(shown, alignment) if alignment and len(shown) <= _LONGEST_RAISED else normalise_line(shown)

    def _style(self, row: int, column: int) -> tuple[str, str | None]:
        """Returns (number format, superscript or subscript of the whole cell)."""
        if not self.formats:
            return "General", None
        try:
            style = self.book.xf_list[self.sheet.cell_xf_index(row, column)]
            code = self.book.format_map[style.format_key].format_str
            return code, _ALIGNMENTS.get(self.book.font_list[style.font_index].escapement)
        except (LookupError, AttributeError, TypeError):
            return "General", None

    def _runs(self, row: int, column: int, text: str) -> str:
        """A text with its superscript and subscript runs separated."""
        runs = self.sheet.rich_text_runlist_map.get((row, column)) if self.formats else None
        if not runs:
            return text
        starts = [0, *(min(start, len(text)) for start, _ in runs), len(text)]
        fonts = [None, *(font for _, font in runs)]
        parts = []
        for start, end, font in zip(starts, starts[1:], fonts, strict=False):
            known = font is not None and font < len(self.book.font_list)
            alignment = _ALIGNMENTS.get(self.book.font_list[font].escapement) if known else None
            parts.append(set_off(text[start:end], alignment))
        return "".join(parts)


def _hidden_columns(sheet: Any) -> list[tuple[int, int]]:
    return [(column + 1, column + 1) for column, info in sheet.colinfo_map.items() if info.hidden or info.width == 0]


def _merged_in(sheet: Any) -> dict[Place, Place]:
    ranges = sheet.merged_cells[:MOST_MERGED]
    return covered((top + 1, left + 1, bottom, right) for top, bottom, left, right in ranges)


def _notes_of(sheet: Any) -> list[CellNote]:
    found = []
    for (row, column), note in list(sheet.cell_note_map.items())[:MOST_NOTES]:
        author, text = normalise_line(note.author or ""), normalise_line(note.text or "")
        text = text.removeprefix(f"{author}:").strip() if author else text
        if text:
            found.append(CellNote((row + 1, column + 1), author, text))
    return sorted(found)
