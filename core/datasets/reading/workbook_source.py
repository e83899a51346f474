"""Stages the visible sheets of a workbook with exact values."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.exact_cells import ExactCells, VisibleRows, exact_as_shown
from core.datasets.reading.staging import RawSheet, stage_rows
from core.library.extract.sniff import Format
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.book import Book
from core.library.extract.workbooks.date_formats import iso
from core.library.extract.workbooks.ods import open_ods
from core.library.extract.workbooks.sheet_cells import SheetCells
from core.library.extract.workbooks.sheet_rows import SheetRow
from core.library.extract.workbooks.xls import open_xls
from core.library.extract.workbooks.xlsb_book import open_xlsb
from core.library.extract.workbooks.xlsx_book import open_xlsx

if TYPE_CHECKING:
    import duckdb

MOST_SHEETS = 200
PANIC = "PanicException"
"""Name of the error that calamine raises for some damaged files."""


def stage_xlsx(database: duckdb.DuckDBPyConnection, path: Path, folder: Path) -> Iterator[RawSheet]:
    """Stages each visible sheet of an XLSX file."""
    book = open_xlsx(path, with_hidden=False, formulas=False)
    try:
        yield from _stage_book(database, book, folder)
    finally:
        book.close()


def stage_other_workbook(
    database: duckdb.DuckDBPyConnection, path: Path, kind: Format, folder: Path
) -> Iterator[RawSheet]:
    """Stages each visible sheet of an XLS, XLSB or ODS file. Its displayed cells are made exact with the values that
    calamine reads, where it can."""
    if kind == "xls":
        book = open_xls(path.read_bytes(), with_hidden=False)
    else:
        book = open_xlsb(path, with_hidden=False) if kind == "xlsb" else open_ods(path, with_hidden=False)
    try:
        values = _values_of(path)
        yield from _stage_book(database, book, folder, values)
    finally:
        book.close()


def _values_of(path: Path) -> Callable[[str], Sequence[Sequence[object]]]:
    """The values of a sheet by its name; none if they cannot be read."""
    from python_calamine import CalamineError, CalamineWorkbook

    def values(name: str) -> Sequence[Sequence[object]]:
        try:
            book = CalamineWorkbook.from_path(str(path))
            names = {normalise_line(found): found for found in book.sheet_names}
            return book.get_sheet_by_name(names[name]).to_python(skip_empty_area=False)
        except (CalamineError, KeyError, OSError):
            return []
        except BaseException as error:
            # A panic in the library's own code is no Exception; the displayed values remain.
            if type(error).__name__ != PANIC:
                raise
            return []

    return values


def _with_values(rows: Iterator[SheetRow], values: Sequence[Sequence[object]]) -> Iterator[SheetRow]:
    for row in rows:
        exact = values[row.number - 1] if row.number <= len(values) else ()
        cells = [_exact(text, exact[place]) if place < len(exact) else text for place, text in enumerate(row.cells)]
        yield row._replace(cells=cells)


def _exact(text: str, value: object) -> str:
    if not text or isinstance(value, bool | str):
        return text
    if isinstance(value, int | float):
        return exact_as_shown(float(value), text)
    if isinstance(value, datetime.datetime):
        return iso(value) if value.time() == datetime.time() else value.isoformat(" ", "seconds")
    return value.isoformat() if isinstance(value, datetime.date) else text


def _stage_book(
    database: duckdb.DuckDBPyConnection,
    book: Book,
    folder: Path,
    values: Callable[[str], Sequence[Sequence[object]]] | None = None,
) -> Iterator[RawSheet]:
    for number, sheet in enumerate(book.sheets[:MOST_SHEETS]):
        source = sheet.source
        if isinstance(source, SheetCells):
            source = ExactCells(source.book, source.place, source.texts, source.styles, formulas=False)
        merged = sheet.merged()
        visible = VisibleRows(merged, source.hidden_columns)
        rows = source.rows() if values is None else _with_values(source.rows(), values(sheet.name))
        staged = stage_rows(database, visible.of(rows), folder, number)
        yield replace(staged, name=sheet.name, spans=bool(merged))
