"""Opens an XLSX file as a book of sheets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from openpyxl.utils.cell import range_boundaries

from core.library.extract import problems
from core.library.extract.office.workbook_charts import charts_on
from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.cell_notes import notes_of
from core.library.extract.workbooks.cell_styles import cell_styles
from core.library.extract.workbooks.rich_text import shared_texts
from core.library.extract.workbooks.sheet_cells import SheetCells
from core.library.extract.workbooks.sheet_rows import MOST_MERGED, Place, covered
from core.library.extract.workbooks.workbook_parts import SheetPart, WorkbookParts
from core.library.extracted import Block

_MERGED = re.compile(rb'<(?:\w{1,20}:)?mergeCell [^>]{0,80}?ref="([A-Z0-9:]{3,30})"')
_MOST_XML = 64 * 1024 * 1024


@dataclass
class XlsxBook(Book):
    """An open XLSX file."""

    parts: WorkbookParts | None = None
    formats_lost: bool = False

    def problems_met(self) -> list[problems.Note]:
        sources = [sheet.source for sheet in self.sheets]
        lost = sum(source.lost_texts for source in sources if isinstance(source, SheetCells))
        notes = [problems.lost_texts(lost)] if lost else []
        return [*notes, problems.lost_formats()] if self.formats_lost else notes

    def close(self) -> None:
        if self.parts:
            self.parts.close()


def open_xlsx(path: Path, with_hidden: bool, formulas: bool = True) -> XlsxBook:
    """The sheets of a file to be read.

    Args:
        with_hidden: include hidden content.
        formulas: show a formula that was saved without its result.

    Raises:
        zipfile.BadZipFile: it is not an archive.
    """
    parts = WorkbookParts(path)
    texts, styles = shared_texts(parts), cell_styles(parts)
    sheets = []
    for part in parts.sheets:
        if with_hidden or not part.hidden:
            sheets.append(
                Sheet(
                    part.name,
                    SheetCells(parts, part.place, texts, styles, formulas, with_hidden),
                    merged=partial(_merged_in, parts, part),
                    notes=notes_of(parts, part.place),
                    added=partial(_drawn_on, parts, part, with_hidden),
                    with_hidden=with_hidden,
                )
            )
    return XlsxBook(
        sheets,
        [] if with_hidden else [part.name for part in parts.sheets if part.hidden],
        parts.title,
        parts.author,
        parts.created,
        parts,
        formats_lost=not styles and bool(parts.related(parts.main, "styles")),
    )


def _drawn_on(parts: WorkbookParts, part: SheetPart, with_hidden: bool) -> list[Block]:
    """The charts on a sheet whose values are not in the cells that are read."""
    read = [each.name for each in parts.sheets if with_hidden or not each.hidden]
    return charts_on(parts, part.place, part.name, read)


def _merged_in(parts: WorkbookParts, part: SheetPart) -> dict[Place, Place]:
    """For each cell under a merged one, the cell that has its value."""
    try:
        with parts.archive.open(parts.names[part.place.lower()]) as file:
            ranges = _MERGED.findall(file.read(_MOST_XML))
    except MemoryError:
        raise
    except Exception:  # zlib.error and similar errors have no common base class
        return {}
    edges = [range_boundaries(reference.decode("ascii", "ignore")) for reference in ranges[:MOST_MERGED]]
    return covered(
        (top, left, bottom, right) for left, top, right, bottom in edges if left and top and right and bottom
    )
