"""Text and structure of a file, whatever its format [spec L1]."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import PalimpsestError
from core.library.extract import problems, sniff
from core.library.extract.csv import extract_csv
from core.library.extract.docx import extract_docx
from core.library.extract.html import extract_html
from core.library.extract.md import extract_md
from core.library.extract.pdf import extract_pdf
from core.library.extract.rtf import extract_rtf
from core.library.extract.txt import extract_txt
from core.library.extract.xlsx import extract_xlsx
from core.library.extracted import Block, Extracted
from core.settings import Settings

Progress = Callable[[int, int], None]

_WHOLE: dict[sniff.Format, Callable[[Path, str, Settings], Extracted]] = {
    "docx": extract_docx,
    "csv": extract_csv,
    "html": extract_html,
    "rtf": extract_rtf,
    "txt": extract_txt,
    "md": extract_md,
}
_IN_PARTS: dict[sniff.Format, Callable[[Path, str, Settings, Progress], Extracted]] = {
    "pdf": extract_pdf,
    "xlsx": extract_xlsx,
}

__all__ = ["extract"]


def extract(path: Path, filename: str, settings: Settings, progress: Progress | None = None) -> Extracted:
    """Read ``path`` by what it really is; synchronous, for a worker.

    Args:
        filename: the name people gave it, used to tell texts apart and in messages.
        progress: called with (done, total) after each page or sheet.

    Raises:
        PalimpsestError: category "validation", with what is wrong with the file.
    """
    report = progress or _ignore
    found = sniff.format_of(path, filename)
    try:
        if found in _IN_PARTS:
            extracted = _IN_PARTS[found](path, filename, settings, report)
        else:
            report(0, 1)
            extracted = _WHOLE[found](path, filename, settings)
            report(1, 1)
    except PalimpsestError:
        raise
    except (RecursionError, MemoryError, ValueError, LookupError, ArithmeticError, TypeError, OSError) as error:
        # A parser met something its authors did not expect: for people that is a damaged file.
        raise problems.corrupt(filename, found.upper()) from error
    if not any(any(map(str.isalnum, block.text)) for block in extracted.blocks):
        raise problems.empty(filename)
    return _finished(extracted, filename, found, settings.limits.extracted_characters)


def _finished(extracted: Extracted, filename: str, found: sniff.Format, limit: int) -> Extracted:
    """Notes about the name and the length added; blocks beyond the limit cut off."""
    notes = list(extracted.notes)
    if sniff.is_disguised(filename, found):
        notes.insert(0, problems.disguised(sniff.extension_of(filename), found.upper()))
    blocks: list[Block] = []
    left = limit
    for block in extracted.blocks:
        if left <= 0:
            break
        blocks.append(block if len(block.text) <= left else block.model_copy(update={"text": block.text[:left]}))
        left -= len(block.text)
    if left < 0 or len(blocks) < len(extracted.blocks):
        cut = problems.only_characters(limit)
        notes += [cut] if cut not in notes else []
    return extracted.model_copy(update={"blocks": blocks, "notes": notes})


def _ignore(done: int, total: int) -> None:
    return None
