"""Stages the visible sheets of a workbook with exact values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.datasets.reading.exact_cells import ExactCells, VisibleRows
from core.datasets.reading.staging import RawSheet, stage_rows
from core.library.extract.workbooks.book import Book
from core.library.extract.workbooks.sheet_cells import SheetCells
from core.library.extract.workbooks.xlsx_book import open_xlsx

if TYPE_CHECKING:
    import duckdb

MOST_SHEETS = 200


def stage_xlsx(database: duckdb.DuckDBPyConnection, path: Path, folder: Path) -> Iterator[RawSheet]:
    """Stages each visible sheet of an XLSX file."""
    book = open_xlsx(path, with_hidden=False, formulas=False)
    try:
        yield from _stage_book(database, book, folder)
    finally:
        book.close()


def _stage_book(database: duckdb.DuckDBPyConnection, book: Book, folder: Path) -> Iterator[RawSheet]:
    for number, sheet in enumerate(book.sheets[:MOST_SHEETS]):
        source = sheet.source
        if isinstance(source, SheetCells):
            source = ExactCells(source.book, source.place, source.texts, source.styles, formulas=False)
        merged = sheet.merged()
        visible = VisibleRows(merged, source.hidden_columns)
        staged = stage_rows(database, visible.of(source.rows()), folder, number)
        yield replace(staged, name=sheet.name, spans=bool(merged))
