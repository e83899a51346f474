"""Extracts text and structure from a file of any supported format."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from core.errors import PalimpsestError
from core.library.extract import problems, scans, sniff
from core.library.extracted import Block, Extracted, Progress
from core.settings import Settings

_Whole = Callable[[Path, str, Settings], Extracted]
_InParts = Callable[[Path, str, Settings, Progress], Extracted]

__all__ = ["extract", "import_parser_for"]

_IN_PARTS: frozenset[sniff.Format] = frozenset(
    {"pdf", "pptx", "eml", "mbox", "msg", "epub", "odp", "ppt", *sniff.WORKBOOKS, *sniff.PICTURES}
)

_MODULES = {
    "json": "records.json", "jsonl": "records.json", "xml": "records.xml", "yaml": "records.yaml",
    "xls": "workbooks.xls", "xlsb": "workbooks.xlsb", "ods": "workbooks.ods",
    "odt": "office.odt", "odp": "office.odp", "doc": "office.old_office", "ppt": "office.old_office",
    "epub": "books.epub", "ipynb": "books.ipynb", "rst": "books.rst", "mbox": "mail.mbox", "msg": "mail.msg",
}  # fmt: skip
"""Maps a format to the module with its reader, if the module has another name."""


def extract(path: Path, filename: str, settings: Settings, progress: Progress | None = None) -> Extracted:
    """Read ``path`` by its actual format; synchronous, for a worker.

    Args:
        filename: the user's file name, used to distinguish text formats and in messages.
        progress: called with (done, total) after each page or sheet.

    Raises:
        PalimpsestError: category "validation", with what is wrong with the file.
    """
    report = progress or _ignore
    found = sniff.format_of(path, filename)
    try:
        if found in _IN_PARTS:
            extracted = cast("_InParts", _extractor(found))(path, filename, settings, report)
        else:
            report(0, 1)
            extracted = cast("_Whole", _extractor(found))(path, filename, settings)
            report(1, 1)
    except PalimpsestError:
        raise
    except (RecursionError, ValueError, LookupError, ArithmeticError, TypeError, OSError) as error:
        # A parser failed on unexpected input: for the user that is a damaged file.
        raise problems.corrupt(filename, found.upper()) from error
    if not scans.current().is_partial and not any(any(map(str.isalnum, block.text)) for block in extracted.blocks):
        raise problems.empty(filename)
    return _finished(extracted, filename, found, settings.limits.extracted_characters)


def import_parser_for(filename: str) -> None:
    """Import the parser before forking for the next file of this kind; the kind is judged by the name, so this is only
    a guess."""
    if named := sniff.EXTENSIONS.get(sniff.extension_of(filename)):
        _extractor(named)


def _extractor(found: sniff.Format) -> object:
    """Imports the reader when it is needed, so that a process that reads one file need not load all parsers."""
    name = "picture" if found in sniff.PICTURES else found
    module = _MODULES.get(name, name)
    return getattr(import_module(f"{__name__}.{module}"), f"extract_{name}")


def _finished(extracted: Extracted, filename: str, found: sniff.Format, limit: int) -> Extracted:
    """The result with notes about its name and length; blocks beyond the limit are cut off."""
    from core.library.tables.decimal_marks import (
        with_decimal_marks,
    )  # The tables package uses this package to read cells.

    notes = list(extracted.notes)
    if sniff.is_disguised(filename, found):
        notes.insert(0, problems.disguised(sniff.extension_of(filename), found.upper()))
    blocks: list[Block] = []
    left = limit
    # The CSV reader has more evidence for the decimal marks, and has already decided.
    for block in extracted.blocks if found == "csv" else with_decimal_marks(extracted.blocks):
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
