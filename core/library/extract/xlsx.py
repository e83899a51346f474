"""XLSX: every sheet as tables with their column headings; values as they are shown."""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.utils.cell import range_boundaries

from core.library.extract import problems
from core.library.extract.sheet_blocks import sheet_blocks
from core.library.extract.text import normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.library.tables.cells import is_figure, is_year
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MOST_CELLS = 3_000_000
_PERCENT = re.compile(r"0(\.0+)?%")
_MERGED = re.compile(rb'<mergeCell [^>]{0,80}?ref="([A-Z0-9:]{3,30})"')
_MOST_MERGED = 20_000
_MOST_XML = 64 * 1024 * 1024
_NO_VALUE = re.compile(rb"</f>\s*(<v\s*/>|<v></v>|</c>)")


@dataclass
class Rest:
    """What may still be read."""

    cells: int
    characters: int


def extract_xlsx(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """One table a block of filled rows; ``pages`` is the number of sheets.

    Raises:
        PalimpsestError: the workbook is broken.
    """
    notes: list[tuple[str, str]] = []
    blocks: list[Block] = []
    rest = Rest(MOST_CELLS, settings.limits.extracted_characters)
    try:
        book = openpyxl.load_workbook(_opened(path), read_only=True, data_only=True)
        formulas = openpyxl.load_workbook(_opened(path), read_only=True) if _lacks_values(path) else None
        sheets = [sheet for sheet in book.worksheets if hasattr(sheet, "iter_rows")]
        for number, sheet in enumerate(sheets):
            rows, complete = shown_rows(
                sheet, formulas[sheet.title] if formulas else None, rest, merged_in(path, sheet)
            )
            blocks += sheet_blocks(rows, sheet.title)
            if not complete:
                notes.append(problems.only_rows(sheet.title, len(rows)))
            progress(number + 1, len(sheets))
        if not sheets:
            raise ValueError("no sheets")
        properties = book.properties
        for opened in (book, formulas):
            if opened:
                opened.close()
    except MemoryError:
        raise
    except Exception as error:  # openpyxl lets whatever its parsers raise through
        raise problems.corrupt(filename, "XLSX") from error
    return Extracted(
        blocks=blocks,
        mime=MIME,
        pages=len(sheets),
        title=normalise_line(properties.title or "") or None,
        author=normalise_line(properties.creator) if properties.creator and properties.creator != "openpyxl" else None,
        created=properties.created.date().isoformat() if properties.created else None,
        notes=notes,
    )


def _opened(path: Path) -> BytesIO:
    """openpyxl judges a path by its ending, and stored files have none."""
    return BytesIO(path.read_bytes())


def _lacks_values(path: Path) -> bool:
    """Whether some formula was saved without its result, as programs without a calculator do."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                with archive.open(name) as part:
                    tail = b""
                    while data := part.read(1 << 20):
                        if _NO_VALUE.search(tail + data):
                            return True
                        tail = data[-40:]
    return False


def merged_in(path: Path, sheet: Any) -> dict[tuple[int, int], tuple[int, int]]:
    """For each cell under a merged one, both as (row, column) from 1, the one that holds its value."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    try:
        with zipfile.ZipFile(path) as archive, archive.open(sheet._worksheet_path.lstrip("/")) as part:
            ranges = _MERGED.findall(part.read(_MOST_XML))
    except (KeyError, AttributeError, zipfile.BadZipFile, OSError):
        return found
    for reference in ranges[:_MOST_MERGED]:
        edges = [edge for edge in range_boundaries(reference.decode("ascii", "ignore")) if edge]
        if len(edges) < 4:
            continue
        left, top, right, bottom = edges
        if (right - left + 1) * (bottom - top + 1) > _MOST_MERGED:
            continue
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                if (row, column) != (top, left):
                    found[row, column] = (top, left)
    return found


def shown_rows(
    sheet: Any, formulas: Any, rest: Rest, merged: Mapping[tuple[int, int], tuple[int, int]]
) -> tuple[list[list[str]], bool]:
    """(rows of shown values, whether that is all). Declared dimensions are not believed."""
    held = dict.fromkeys(merged.values(), "")
    sheet.reset_dimensions()
    beside: Iterator[Any] | None = None
    if formulas is not None:
        formulas.reset_dimensions()
        beside = formulas.iter_rows()
    rows: list[list[str]] = []
    empty = 0
    for number, cells in enumerate(sheet.iter_rows(), start=1):
        rest.cells -= max(1, len(cells))
        if rest.cells < 0 or rest.characters < 0:
            return rows, False
        written = next(beside, ()) if beside is not None else ()
        row = [cell_text(cell, written[i] if i < len(written) else None) for i, cell in enumerate(cells)]
        _fill_merged(row, number, merged, held)
        while row and not row[-1]:
            row.pop()
        if row:
            # Two empty rows part tables as well as a million do.
            rows += [[]] * min(empty, 2)
            rows.append(row)
            rest.characters -= sum(map(len, row))
        empty = 0 if row else empty + 1
    return rows, True


def _fill_merged(
    row: list[str],
    number: int,
    merged: Mapping[tuple[int, int], tuple[int, int]],
    held: dict[tuple[int, int], str],
) -> None:
    """Texts are repeated over the cells that they are merged with; a figure would be counted twice."""
    if not merged:
        return
    for column, text in enumerate(row, start=1):
        if (number, column) in held:
            held[number, column] = text
        elif not text and (number, column) in merged:
            value = held[merged[number, column]]
            row[column - 1] = "" if is_figure(value) and not is_year(value) else value


def cell_text(cell: Any, written: Any) -> str:
    """A value as a reader of the sheet sees it, roughly: dates, percentages, whole numbers; else its formula."""
    value = cell.value
    if value is None:
        formula = written.value if written is not None else None
        return normalise_line(str(formula)) if isinstance(formula, str) else ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float):
        percent = _PERCENT.search(cell.number_format or "")
        if percent:
            digits = max(len(percent.group(1) or "") - 1, 0)
            return f"{value * 100:.{digits}f}%"
        return f"{value:.10g}" if abs(value) < 1e15 else str(value)
    return normalise_line(str(value))
