"""Excel: each sheet a section with its name and its rows, values as they are shown."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

import openpyxl

from core.library.viewing.renditions.grid import CUT, MOST_ROWS, table

MOST_SHEETS = 50
_EMPTY_RUN = 200


def render(path: Path) -> str:
    with path.open("rb") as file:
        return _rendered(openpyxl.load_workbook(file, read_only=True, data_only=True))


def _rendered(book: Any) -> str:
    try:
        sheets = [sheet for sheet in book.worksheets if hasattr(sheet, "iter_rows")]
        parts = [_section(sheet) for sheet in sheets[:MOST_SHEETS]]
        return "".join(parts) + (CUT if len(sheets) > MOST_SHEETS else "")
    finally:
        book.close()


def _section(sheet: Any) -> str:
    sheet.reset_dimensions()
    return f"<section><h2>{escape(sheet.title)}</h2>{table(_filled_rows(sheet), heads=False)}</section>"


def _filled_rows(sheet: Any) -> Iterator[list[str]]:
    """Filled rows, and one empty row where there were some; a long run of nothing is the end."""
    empty = 0
    for cells in islice(sheet.iter_rows(), 50 * MOST_ROWS):
        row = [shown(cell.value, cell.number_format or "") for cell in cells]
        while row and not row[-1]:
            row.pop()
        if row:
            yield from [[]] if empty else []
            yield row
        empty = 0 if row else empty + 1
        if empty > _EMPTY_RUN:
            return


def shown(value: object, number_format: str) -> str:
    """A value roughly as a reader of the sheet sees it."""
    match value:
        case None:
            return ""
        case bool():
            return "TRUE" if value else "FALSE"
        case datetime.datetime() if value.time() == datetime.time():
            return value.date().isoformat()
        case datetime.datetime():
            return value.isoformat(" ", "minutes")
        case int() | float():
            return _formatted_number(value, number_format)
    return str(value)


def _formatted_number(value: float, number_format: str) -> str:
    decimals = len(number_format.partition(".")[2]) - len(number_format.partition(".")[2].lstrip("0#"))
    if "%" in number_format:
        return f"{value * 100:.{decimals}f}%"
    if "#,##" in number_format:
        return f"{value:,.{decimals}f}"
    if isinstance(value, float) and decimals:
        return f"{value:.{decimals}f}"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
