"""Defines the raw grid of a table: its cells, from any file format, with the columns that they cover."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from core.library.extract.text import normalise_line
from core.library.tables.cells import SIGNS, is_figure, is_year
from core.library.tables.records import Box

MOST_COLUMNS = 1_000
_HEADS_READ = 8
"""Number of rows, from the first one, that are searched for merged cells."""
_ENDINGS = frozenset((")", "%", ")%", "pts", "bps", "]"))


@dataclass(frozen=True)
class RawCell:
    """A cell that covers the columns from ``start`` to ``end`` (exclusive)."""

    text: str
    start: int
    end: int
    box: Box | None = None


@dataclass
class RawRow:
    """A row of the grid. ``indent`` is its label's indentation, in any unit that is constant within the table."""

    cells: list[RawCell]
    indent: float = 0.0
    page: int | None = None

    def text(self, column: int) -> str:
        return next((cell.text for cell in self.cells if cell.start <= column < cell.end), "")

    @property
    def label(self) -> str:
        return next((cell.text for cell in self.cells if cell.start == 0), "")

    @property
    def figures(self) -> list[RawCell]:
        """The cells after the label."""
        return [cell for cell in self.cells if cell.start > 0]


@dataclass
class Grid:
    """A table before its meaning is known. ``heads``: how many first rows are column headings, ``None`` to judge by the
    cells. ``spans``: whether the widths of heading cells are known, or a heading of several columns is only in one
    of them.

    ``above`` are the lines above the table, the nearest last; ``beneath`` are its notes.
    """

    rows: list[RawRow]
    width: int
    heads: int | None = None
    spans: bool = False
    caption: str | None = None
    above: list[str] = field(default_factory=list)
    beneath: list[str] = field(default_factory=list)
    cautious: bool = False
    sheet: str | None = None


def grid_of(
    rows: Sequence[Sequence[str]],
    heads: int | None = None,
    page: int | None = None,
    indents: Sequence[float] = (),
    spans: bool = False,
) -> Grid | None:
    """A grid from plain rows; a text repeated in adjacent cells is a merged cell. ``None`` if everything is empty."""
    raw: list[RawRow] = []
    kept_heads = heads
    for number, row in enumerate(rows):
        cells = [normalise_line(cell) for cell in row[:MOST_COLUMNS]]
        if not any(cells):
            if heads is not None and kept_heads is not None and number < heads:
                kept_heads -= 1
            continue
        indent = indents[number] if number < len(indents) else 0.0
        raw.append(RawRow(_cells(cells, spans), indent, page))
    if not raw:
        return None
    width = max(cell.end for row in raw for cell in row.cells)
    return compact(Grid(raw, width, kept_heads, spans))


def _cells(texts: Sequence[str], spans: bool) -> list[RawCell]:
    cells: list[RawCell] = []
    for column, text in enumerate(texts):
        if not text:
            continue
        if (
            spans
            and cells
            and cells[-1].end == column
            and cells[-1].text == text
            and (not text[0].isdigit() or is_year(text))
        ):
            cells[-1] = replace(cells[-1], end=column + 1)
        else:
            cells.append(RawCell(text, column, column + 1))
    return cells


def compact(grid: Grid) -> Grid:
    """Join columns that contain only signs to their numbers, and remove columns in which no cell starts."""
    starts: list[set[str]] = [set() for _ in range(grid.width)]
    for row in grid.rows:
        for cell in row.cells:
            starts[cell.start].add(cell.text if cell.end == cell.start + 1 else "\0")
    target: list[int] = []
    count = 0
    pending = False
    for column, texts in enumerate(starts):
        joins_next = column > 0 and bool(texts) and texts <= SIGNS
        joins_last = column > 1 and bool(texts) and texts <= _ENDINGS
        used = bool(texts) and not joins_last
        if used and not pending:
            count += 1
        target.append(max(count - 1, 0))
        pending = joins_next if texts else pending
    if count == grid.width:
        return grid
    for row in grid.rows:
        row.cells = _aligned_cells(row.cells, target, grid.width)
    grid.width = max(count, 1)
    return grid


def _aligned_cells(cells: Sequence[RawCell], target: Sequence[int], width: int) -> list[RawCell]:
    joined: list[RawCell] = []
    for cell in cells:
        start = target[cell.start]
        end = max(start + 1, target[cell.end - 1] + 1)
        if joined and joined[-1].end > start:
            last = joined[-1]
            apart = "" if last.text in SIGNS or cell.text in _ENDINGS else " "
            joined[-1] = RawCell(f"{last.text}{apart}{cell.text}", last.start, max(last.end, end), last.box or cell.box)
        else:
            joined.append(RawCell(cell.text, start, end, cell.box))
    return joined


def has_merged(rows: Sequence[Sequence[str]]) -> bool:
    """Whether merged headings are repeated in each cell, so that none extends over its neighbours."""
    return any(
        one == other and one and (is_year(one) or not is_figure(one))
        for row in rows[:_HEADS_READ]
        for one, other in pairwise(row)
    )
