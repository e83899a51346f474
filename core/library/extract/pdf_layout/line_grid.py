"""Builds a table's grid from the lines of a page and the positions of the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from core.library.extract.pdf_layout.column_alignment import Band, band_at, bands_of
from core.library.extract.pdf_layout.column_headings import ColumnHeadings
from core.library.extract.pdf_layout.layout import Row
from core.library.extract.pdf_layout.line_cells import LineCell
from core.library.extract.pdf_layout.merged_labels import with_middle_labels
from core.library.tables.grid import Grid, RawCell, RawRow

MOST_COLUMNS = 40
_NOTE = re.compile(r"(\((\d{1,2}|[a-z])\)|\[\w\]|\*{1,3}|[†‡§]|\d{1,2}\.?)\s+\S")


@dataclass
class Line:
    """A row of the page with its cells."""

    row: Row
    cells: list[LineCell]

    @property
    def values(self) -> int:
        return sum(cell.is_value for cell in self.cells)

    @property
    def is_data(self) -> bool:
        return len(self.cells) > 1 and self.values > 0

    @property
    def is_heading(self) -> bool:
        """Whether the line has years, dates or words over the columns, and no row label next to numbers."""
        return len(self.cells) > 1 and not self.values


@dataclass
class Layout:
    """The positions of a table's columns; ``labels`` is the right edge of the label column."""

    bands: list[Band]
    figures: list[bool]
    stub: bool
    left: float
    labels: float


def layout_of(data: Sequence[Line]) -> Layout | None:
    bands = bands_of([cell for line in data for cell in line.cells if cell.is_value])
    if not bands or len(bands) > MOST_COLUMNS:
        return None
    left = min(line.cells[0].x0 for line in data)
    first = bands[0]
    labelled = sum(line.cells[0].x0 < first.left and not line.cells[0].is_value for line in data)
    stub = labelled >= 0.3 * len(data)
    texts = []
    for line in data:
        others = line.cells[1:] if stub and not line.cells[0].is_value and line.cells[0].x0 < first.left else line.cells
        texts += [cell for cell in others if not cell.is_value and not touches(cell, bands)]
    width = bands[-1].right - left
    columns = [band for band in bands_of(texts) if band.right - band.left < 0.5 * width]
    every = sorted(
        [(band.left, True, band) for band in bands] + [(band.left, False, band) for band in columns],
        key=lambda item: item[0],
    )
    return Layout(
        [band for *_, band in every], [is_figure for _, is_figure, _ in every], stub, left, _labels_end(data, first)
    )


def _labels_end(data: Sequence[Line], first: Band) -> float:
    labels = [line.cells[0].x1 for line in data if line.cells[0].x0 < first.left and not line.cells[0].is_value]
    return max((end for end in labels if end < first.left), default=first.left)


def touches(cell: LineCell, bands: Sequence[Band]) -> bool:
    return any(min(band.right, cell.right) > max(band.left, cell.left) for band in bands)


def grid_of_lines(
    lines: Sequence[Line], heads: ColumnHeadings, core: tuple[int, int], layout: Layout, page: int
) -> Grid:
    size = median(line.row.size for line in lines[core[0] : core[1]])
    width = 1 + len(layout.bands)
    rows = [RawRow(list(cells), page=page) for _, cells in heads.rows]
    rows += with_middle_labels([_body_row(line, layout, size, page) for line in lines[heads.body : core[1]]])
    if not layout.stub:
        rows, width = _without_stub(rows, len(heads.rows), width)
    return Grid(
        rows,
        width,
        heads=len(heads.rows),
        spans=True,
        caption=heads.caption,
        above=heads.above,
        beneath=_notes(lines, core[1]),
    )


def _body_row(line: Line, layout: Layout, size: float, page: int) -> RawRow:
    texts: dict[int, LineCell] = {}
    edge = layout.bands[0].left
    for number, cell in enumerate(line.cells):
        beside = cell.x0 < edge and not (layout.stub and _is_left_out(cell, layout, size))
        is_label = number == 0 and not cell.is_value and (beside or len(line.cells) == 1)
        index = 0 if is_label else 1 + band_at(layout.bands, cell)
        if index in texts:
            before = texts[index]
            cell = replace(cell, text=f"{before.text} {cell.text}", x0=before.x0, place=before.place)
        texts[index] = cell
    cells = [RawCell(cell.text, index, index + 1, cell.place) for index, cell in sorted(texts.items())]
    return RawRow(cells, (line.cells[0].x0 - layout.left) / size if 0 in texts else 0.0, page)


def _is_left_out(cell: LineCell, layout: Layout, size: float) -> bool:
    """Whether the row has no label, so that its first cell ``cell`` is in a text column."""
    first = layout.bands[0]
    return cell.x0 > layout.left + 8 * size and min(first.right, cell.right) > max(first.left, cell.left)


def _without_stub(rows: list[RawRow], heads: int, width: int) -> tuple[list[RawRow], int]:
    """If no row has a label, use the first column as labels."""
    if any(cell.start == 0 for row in rows[heads:] for cell in row.cells):
        return rows, width
    for row in rows:
        row.cells = [
            replace(cell, start=max(cell.start - 1, 0), end=cell.end - 1) for cell in row.cells if cell.end > 1
        ]
    return rows, width - 1


def _notes(lines: Sequence[Line], end: int) -> list[str]:
    """Footnotes directly below the table; they stay in the text too."""
    notes: list[str] = []
    for above, line in zip(lines[end - 1 :], lines[end : end + 12], strict=False):
        text = line.row.text
        if above.row.bottom - line.row.top > 2.5 * line.row.size or line.is_data:
            break
        if _NOTE.match(text) and not text[0].isdigit():
            notes.append(text)
        elif notes:
            notes[-1] = f"{notes[-1]} {text}"
        else:
            break
    return notes
