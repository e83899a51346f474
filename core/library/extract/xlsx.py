"""Reads XLSX files: every visible sheet as tables with their column headings; values as displayed."""

from __future__ import annotations

from pathlib import Path

from core.library.extract import problems
from core.library.extract.workbooks.book import document_of
from core.library.extract.workbooks.sheet_rows import Rest
from core.library.extract.workbooks.xlsx_book import open_xlsx
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_CELLS = 3_000_000


def extract_xlsx(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file: one table per block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: nothing in the workbook can be read.
    """
    rest = Rest(MOST_CELLS, settings.limits.extracted_characters)
    try:
        book = open_xlsx(path, settings.reading.hidden)
        try:
            return document_of(book, MIME, rest, progress)
        finally:
            book.close()
    except MemoryError:
        raise
    except Exception as error:  # parsers can raise anything on unexpected input
        raise problems.corrupt(filename, "XLSX") from error
