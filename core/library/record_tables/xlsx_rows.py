"""Reads the rows of a workbook of any size one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.library.extract.cuts import Cuts
from core.library.extract.workbooks.book import Sheet
from core.library.extract.workbooks.sheet_cells import SheetCells
from core.library.extract.workbooks.xlsx_book import XlsxBook, open_xlsx
from core.library.record_tables.sizes import row_counts


def streamed_workbook(path: Path, with_hidden: bool) -> XlsxBook:
    """An open workbook whose sheets have an estimated number of rows.

    Raises:
        ValueError: the workbook has no sheets.
    """
    book = open_xlsx(path, with_hidden, formulas=False)
    if not book.sheets:
        book.close()
        raise ValueError("no sheets")
    lines = row_counts(path)
    for sheet in book.sheets:
        if isinstance(sheet.source, SheetCells):
            sheet.lines = lines.get(sheet.source.place, 0)
    return book


def sheet_rows(sheet: Sheet, cuts: Cuts) -> Iterator[list[str]]:
    """The sheet's rows as displayed, including empty ones."""
    return map(cuts.row, sheet.stream())
