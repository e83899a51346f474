"""Converts workbooks: each visible sheet becomes a section with its name and its rows."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import islice
from pathlib import Path

from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.ods import open_ods
from core.library.extract.workbooks.xls import open_xls
from core.library.extract.workbooks.xlsb_book import open_xlsb
from core.library.extract.workbooks.xlsx_book import open_xlsx
from core.library.viewing.renditions.grid import CUT, MOST_ROWS, table

MOST_SHEETS = 50


def render(path: Path) -> str:
    """Converts an XLSX file."""
    return _rendered(open_xlsx(path, with_hidden=False))


def render_xls(path: Path) -> str:
    return _rendered(open_xls(path.read_bytes(), with_hidden=False))


def render_xlsb(path: Path) -> str:
    return _rendered(open_xlsb(path, with_hidden=False))


def render_ods(path: Path) -> str:
    return _rendered(open_ods(path, with_hidden=False))


def _rendered(book: Book) -> str:
    try:
        parts = [_section(sheet) for sheet in book.sheets[:MOST_SHEETS]]
        return "".join(parts) + (CUT if len(book.sheets) > MOST_SHEETS else "")
    finally:
        book.close()


def _section(sheet: Sheet) -> str:
    """The sheet's rows, then its cell comments and the texts in its drawings."""
    rows = table(_filled_rows(sheet), heads=False)
    below = "".join(f"<p>{escape(block.text)}</p>" for block in sheet.blocks_below())
    return f"<section><h2>{escape(sheet.name)}</h2>{rows}{below}</section>"


def _filled_rows(sheet: Sheet) -> Iterator[list[str]]:
    """The filled rows, with one empty row for each gap."""
    empty = False
    for row in islice(sheet.stream(), 2 * MOST_ROWS):
        if row or not empty:
            yield row
        empty = not row
