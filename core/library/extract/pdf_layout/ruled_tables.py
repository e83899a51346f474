"""Finds tables drawn with lines on a PDF page."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from core.library.extract.pdf_layout.glyphs import Box, Glyph, pieces_of, upright
from core.library.extract.pdf_layout.layout import rows_of
from core.library.extract.pdf_layout.merged_labels import filled
from core.library.extract.pdf_layout.paragraphs import one_line
from core.library.extract.table import table_block
from core.library.extracted import Block
from core.library.tables.cells import is_figure

_MOST_LINES = 3_000
_MOST_OBJECTS = 20_000
_MOST_CELLS = 6_000
_THIN = 2.5
_FEW_ROWS = 5
_NEAR = 2.5
_DRAWN = 0.5


@dataclass
class Grid:
    """A ruled table with the positions of its column and row lines; ``ys`` from top to bottom."""

    xs: list[float]
    ys: list[float]
    cells: dict[tuple[int, int], list[Glyph]] = field(default_factory=dict)
    open: dict[int, set[int]] = field(default_factory=dict)
    """Maps the index of a rule in ``ys`` to the columns in which the rule is missing although it is drawn in others."""

    @property
    def box(self) -> Box:
        return self.xs[0], self.xs[-1], self.ys[-1], self.ys[0]

    @property
    def size(self) -> float:
        """The smallest type size in it."""
        return min(glyph.size for glyphs in self.cells.values() for glyph in glyphs)

    def place(self, glyph: Glyph) -> bool:
        """Put ``glyph`` into its cell; ``False`` if it is outside."""
        row = self._row_of(glyph)
        if row is None or not self.xs[0] <= glyph.middle <= self.xs[-1]:
            return False
        column = max(i for i, left in enumerate(self.xs[:-1]) if left <= glyph.middle)
        self.cells.setdefault((row, column), []).append(glyph)
        return True

    def holds(self, glyph: Glyph) -> bool:
        return self._row_of(glyph) is not None and self.xs[0] <= glyph.middle <= self.xs[-1]

    def _row_of(self, glyph: Glyph) -> int | None:
        y = (glyph.bottom + glyph.top) / 2
        return max(i for i, top in enumerate(self.ys[:-1]) if top >= y) if self.ys[-1] <= y <= self.ys[0] else None

    def is_table(self, outside: Sequence[Glyph] = ()) -> bool:
        """Whether the grid has text in at least two rows and two columns, and more than one text in some row.

        Args:
            outside: the glyphs around the grid; a few ruled cells next to them are part of a larger table without
            rules.
        """
        used = [place for place, glyphs in self.cells.items() if any(glyph.text.strip() for glyph in glyphs)]
        rows, columns = {row for row, _ in used}, {column for _, column in used}
        if not (len(rows) > 1 and len(columns) > 1 and len(used) > max(len(rows), len(columns))):
            return False
        if self._crushes(used):
            return False
        is_part = len(rows) <= _FEW_ROWS or self._has_figures_alone(used)
        return not (is_part and self._stands_among(rows, outside))

    def _has_figures_alone(self, used: Sequence[tuple[int, int]]) -> bool:
        return not any(any(map(str.isalpha, glyph.text)) for place in used for glyph in self.cells[place])

    def _crushes(self, used: Sequence[tuple[int, int]]) -> bool:
        """Whether cells contain numbers of several columns or rows, so that the rules separate only some of them."""
        crushed = 0
        for place in used:
            glyphs = self.cells[place]
            if not any(any(map(str.isdigit, glyph.text)) for glyph in glyphs):
                continue
            lines = rows_of(pieces_of(glyphs, False), False)
            beside = any(len(line.pieces) > 1 and any(is_figure(piece.text) for piece in line.pieces) for line in lines)
            crushed += beside or (len(lines) > 1 and all(is_figure(line.text) for line in lines))
        return crushed > 0.05 * len(used)

    def _stands_among(self, rows: set[int], outside: Sequence[Glyph]) -> bool:
        """Whether most rows of the table continue outside of it."""
        going_on = rows.intersection(map(self._row_of, outside))
        return 2 * len(going_on) >= len(rows)

    def block(self, page: int, right_to_left: bool) -> Block | None:
        order = range(len(self.xs) - 1)
        rows = [
            [self.cell_text(row, column, right_to_left) for column in (reversed(order) if right_to_left else order)]
            for row in range(len(self.ys) - 1)
        ]
        return table_block(self._with_merged(rows, right_to_left), page=page, cautious=True)

    def _with_merged(self, rows: list[list[str]], right_to_left: bool) -> list[list[str]]:
        """Repeat the row's first cell on all rows that have no rule between them in its column but in others."""
        order = range(len(self.xs) - 1)
        first = next((column for column in (reversed(order) if right_to_left else order) if self.is_used(column)), None)
        if first is None:
            return rows
        at = (len(order) - 1 - first) if right_to_left else first
        joined = [y in self.open and first in self.open[y] for y in range(1, len(self.ys) - 1)]
        if not any(joined):
            return rows
        parts = filled([row[at:] for row in rows], joined)
        return [row[:at] + part for row, part in zip(rows, parts, strict=True)]

    def is_used(self, column: int) -> bool:
        return any(
            place[1] == column and any(glyph.text.strip() for glyph in glyphs) for place, glyphs in self.cells.items()
        )

    def is_bold(self, row: int, column: int) -> bool:
        glyphs = [glyph for glyph in self.cells.get((row, column), []) if glyph.text.strip()]
        return bool(glyphs) and all(glyph.bold for glyph in glyphs)

    def cell_text(self, row: int, column: int, right_to_left: bool) -> str:
        glyphs = self.cells.get((row, column), [])
        return one_line(rows_of(pieces_of(glyphs, right_to_left), right_to_left)) if glyphs else ""


def read_grids(page: Any, quarter_turns: int) -> list[Grid]:
    """The ruled grids of a pypdfium2 page, rotated like its text."""
    lines, fills = _lines_and_fills(page, quarter_turns)
    if not 4 <= len(lines) <= _MOST_LINES:
        return []
    grids = [grid for group in _connected(lines) if (grid := _grid(group, fills))]
    return sorted(grids, key=lambda grid: (grid.xs[-1] - grid.xs[0]) * (grid.ys[0] - grid.ys[-1]))


def _lines_and_fills(page: Any, quarter_turns: int) -> tuple[list[Box], list[Box]]:
    """Thin strokes and bars; and filled rectangles, which may be cell backgrounds."""
    lines: list[Box] = []
    fills: list[Box] = []
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    for count, shape in enumerate(page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_PATH], max_depth=4)):
        if count > _MOST_OBJECTS or len(lines) > _MOST_LINES:
            return [], []
        segments = pdfium.FPDFPath_CountSegments(shape)
        if segments > 12:
            continue
        left, bottom, right, top = shape.get_bounds()
        box = upright((left, right, bottom, top), quarter_turns)
        pdfium.FPDFPath_GetDrawMode(shape, fill, stroke)
        if min(box[1] - box[0], box[3] - box[2]) <= _THIN:
            lines.append(box)
        elif stroke.value and 4 <= segments <= 6:
            lines += _edges(box)
        elif fill.value:
            fills.append(box)
    return [line for line in lines if max(line[1] - line[0], line[3] - line[2]) > 1.0], fills


def _edges(box: Box) -> list[Box]:
    left, right, bottom, top = box
    return [
        (left, right, bottom, bottom),
        (left, right, top, top),
        (left, left, bottom, top),
        (right, right, bottom, top),
    ]


def _connected(lines: list[Box]) -> list[list[Box]]:
    """Groups of lines that touch each other directly or through others."""
    parent = list(range(len(lines)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    order = sorted(range(len(lines)), key=lambda index: lines[index][0])
    active: list[int] = []
    for index in order:
        line = lines[index]
        active = [other for other in active if lines[other][1] >= line[0] - _NEAR]
        for other in active:
            if lines[other][2] <= line[3] + _NEAR and lines[other][3] >= line[2] - _NEAR:
                parent[root(index)] = root(other)
        active.append(index)
    groups: dict[int, list[Box]] = {}
    for index, line in enumerate(lines):
        groups.setdefault(root(index), []).append(line)
    return list(groups.values())


def _grid(lines: Sequence[Box], fills: Sequence[Box]) -> Grid | None:
    left, right = min(line[0] for line in lines), max(line[1] for line in lines)
    bottom, top = min(line[2] for line in lines), max(line[3] for line in lines)
    level = [line for line in lines if line[1] - line[0] >= line[3] - line[2]]
    plumb = [line for line in lines if line[1] - line[0] < line[3] - line[2]]
    xs = _positions([(line[0] + line[1], line[2], line[3]) for line in plumb], 0.3 * (top - bottom), (left, right))
    ys = _positions([(line[2] + line[3], line[0], line[1]) for line in level], 0.55 * (right - left), (bottom, top))
    ys = _with_fills(xs, ys, fills)
    if len(xs) < 3 or len(ys) < 3 or (len(xs) - 1) * (len(ys) - 1) > _MOST_CELLS:
        return None
    return Grid(xs, ys[::-1], open=_open_columns(xs, ys[::-1], level))


def _open_columns(xs: Sequence[float], ys: Sequence[float], level: Sequence[Box]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for at, y in enumerate(ys):
        here = [(line[2], line[0], line[1]) for line in level if abs((line[2] + line[3]) / 2 - y) <= _NEAR]
        columns = set()
        for column, (left, right) in enumerate(pairwise(xs)):
            inside = [
                (0.0, max(left, start), min(right, end)) for _, start, end in here if start < right and end > left
            ]
            if _covered_length(inside) < _DRAWN * (right - left):
                columns.add(column)
        if here and 0 < len(columns) < len(xs) - 1:
            found[at] = columns
    return found


def _positions(lines: list[tuple[float, float, float]], least: float, outer: tuple[float, float]) -> list[float]:
    """Positions of lines with sufficient length, ascending; the outer edges count as lines.

    Args:
        lines: (twice the position, start, end) of each.
        least: how much of the table the pieces at one position must cover.
    """
    found: list[list[tuple[float, float, float]]] = []
    for line in sorted(lines):
        if found and line[0] / 2 - found[-1][-1][0] / 2 <= _NEAR:
            found[-1].append(line)
        else:
            found.append([line])
    positions = [group[0][0] / 2 for group in found if _covered_length(group) >= least]
    if not positions or positions[0] - outer[0] > 2 * _NEAR:
        positions.insert(0, outer[0])
    if outer[1] - positions[-1] > 2 * _NEAR:
        positions.append(outer[1])
    return positions


def _covered_length(lines: Sequence[tuple[float, float, float]]) -> float:
    total, reached = 0.0, float("-inf")
    for _, start, end in sorted(lines, key=lambda line: line[1]):
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total


def _with_fills(xs: Sequence[float], ys: Sequence[float], fills: Sequence[Box]) -> list[float]:
    """Cell backgrounds that match the columns separate rows if no line is drawn."""
    rows = list(ys)
    for left, right, bottom, top in fills:
        fits = any(abs(left - x) <= _NEAR for x in xs) and any(abs(right - x) <= _NEAR for x in xs)
        if fits and bottom >= ys[0] - _NEAR and top <= ys[-1] + _NEAR:
            rows += [y for y in (bottom, top) if all(abs(y - row) > 2 * _NEAR for row in rows)]
    return sorted(rows)
