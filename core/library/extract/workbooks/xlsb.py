"""Reads XLSB, binary workbooks of Excel, like XLSX; if that fails, only the values of their cells."""

from __future__ import annotations

from pathlib import Path

from python_calamine import CalamineError, PasswordError

from core.library.extract import problems
from core.library.extract.workbooks.book import document_of
from core.library.extract.workbooks.calamine_book import open_with_calamine
from core.library.extract.workbooks.sheet_rows import Rest
from core.library.extract.workbooks.xlsb_book import open_xlsb
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
MOST_CELLS = 3_000_000


def extract_xlsb(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file: one table per block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: the file is encrypted, or nothing in the workbook can be read.
    """
    hidden, characters = settings.reading.hidden, settings.limits.extracted_characters
    try:
        book = open_xlsb(path, hidden)
        try:
            return document_of(book, MIME, Rest(MOST_CELLS, characters), progress)
        finally:
            book.close()
    except MemoryError:
        raise
    except Exception:  # another reader may be able to read it
        pass
    try:
        values = open_with_calamine(path.read_bytes(), hidden)
        return document_of(values, MIME, Rest(MOST_CELLS, characters), progress)
    except PasswordError as error:
        raise problems.protected(filename) from error
    except (CalamineError, ValueError) as error:
        raise problems.corrupt(filename, "XLSB") from error
