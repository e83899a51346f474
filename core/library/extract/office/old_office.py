"""Reads DOC and PPT files of older office programs: converts them and reads the result."""

from __future__ import annotations

from pathlib import Path

from core.library.extract import problems
from core.library.extract.docx import extract_docx
from core.library.extract.office import libreoffice
from core.library.extract.pptx import extract_pptx
from core.library.extracted import Extracted, Progress
from core.settings import Settings


def extract_doc(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when it cannot be converted."""
    with libreoffice.working_folder() as folder:
        extracted = extract_docx(_converted(path, filename, "doc", "docx", Path(folder)), filename, settings)
    return extracted.model_copy(update={"mime": "application/msword"})


def extract_ppt(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when it cannot be converted."""
    with libreoffice.working_folder() as folder:
        made = _converted(path, filename, "ppt", "pptx", Path(folder))
        extracted = extract_pptx(made, filename, settings, progress)
    return extracted.model_copy(update={"mime": "application/vnd.ms-powerpoint"})


def _converted(path: Path, filename: str, extension: str, target: str, folder: Path) -> Path:
    made = libreoffice.converted(path, extension, target, folder)
    if made is None:
        raise problems.corrupt(filename, extension.upper())
    return made
