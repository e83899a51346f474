"""Rows of a workbook of any size, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import openpyxl

from core.library.extract.cuts import Cuts
from core.library.extract.text import normalise_line
from core.library.extract.xlsx import cell_text
from core.library.record_tables.sizes import row_counts


class Sheet(NamedTuple):
    """``lines`` are about as many as it has rows."""

    name: str
    lines: int
    worksheet: Any


class StreamedWorkbook:
    """An open workbook; ``title`` and ``author`` are what the file says of itself."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        book: Any = openpyxl.load_workbook(self._file, read_only=True, data_only=True)
        self._book = book
        lines = row_counts(path)
        self.sheets = [
            Sheet(sheet.title, lines.get(sheet._worksheet_path.lstrip("/"), 0), sheet)
            for sheet in book.worksheets
            if hasattr(sheet, "iter_rows")
        ]
        properties = book.properties
        self.title = normalise_line(properties.title or "") or None
        self.author = normalise_line(properties.creator or "") if properties.creator != "openpyxl" else None

    def close(self) -> None:
        self._book.close()
        self._file.close()


def sheet_rows(sheet: Sheet, cuts: Cuts) -> Iterator[list[str]]:
    """Its rows as they are shown, empty ones too."""
    sheet.worksheet.reset_dimensions()
    for cells in sheet.worksheet.iter_rows():
        yield cuts.row([cell_text(cell, None) for cell in cells])
