"""XLSB: binary workbooks of Excel, read without the number formats of their cells."""

from __future__ import annotations

from pathlib import Path

from python_calamine import CalamineError, PasswordError

from core.library.extract import problems
from core.library.extract.workbooks.book import document_of
from core.library.extract.workbooks.calamine_book import open_with_calamine
from core.library.extract.workbooks.sheet_rows import Rest
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
MOST_CELLS = 3_000_000


def extract_xlsb(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """One table a block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: it is encrypted, or nothing of the workbook can be read.
    """
    rest = Rest(MOST_CELLS, settings.limits.extracted_characters)
    try:
        return document_of(open_with_calamine(path.read_bytes(), settings.reading.hidden), MIME, rest, progress)
    except PasswordError as error:
        raise problems.protected(filename) from error
    except (CalamineError, ValueError) as error:
        raise problems.corrupt(filename, "XLSB") from error
