"""Finds the columns of a table without rules: extents shared by numbers, and the columns that each heading covers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.language.entities.calendar_words import LAST_MONTH
from core.library.extract.pdf_layout.line_cells import LineCell
from core.library.tables.units import is_units

_PERIOD = re.compile(rf"\b(ended|ending|years?|months|weeks|quarters?|as of|as at|fiscal|{LAST_MONTH})\b", re.I)
_WAITS = re.compile(r"(,|ended|ending|as of)$", re.IGNORECASE)
_WIDENED = 3.0
_CENTRED = 1.2
_UNNAMED = 0.45
"""Cost of a column without a heading, in letter widths; a heading off its centre costs its distance."""
_COVERED = 10.0
_MOST_OF_IT = 0.65
"""Cost of not assigning a column to a heading above it, as a fraction of its width."""


@dataclass
class Band:
    """The horizontal extent of a column's numbers, once without and once with their signs."""

    left: float
    right: float
    x0: float
    x1: float

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2

    def take(self, cell: LineCell) -> None:
        self.left, self.right = min(self.left, cell.left), max(self.right, cell.right)
        self.x0, self.x1 = min(self.x0, cell.x0), max(self.x1, cell.x1)


def bands_of(cells: Sequence[LineCell]) -> list[Band]:
    """Extents that overlapping cells share, in reading direction."""
    bands: list[Band] = []
    for cell in sorted(cells, key=lambda cell: cell.left):
        if bands and cell.left <= bands[-1].right:
            bands[-1].take(cell)
        else:
            bands.append(Band(cell.left, cell.right, cell.x0, cell.x1))
    return bands


def band_at(bands: Sequence[Band], cell: LineCell) -> int:
    """The column with the largest overlap with ``cell``, otherwise the nearest."""

    def distance(band: Band) -> tuple[float, float]:
        shared = min(band.right, cell.right) - max(band.left, cell.left)
        return (-max(shared, 0.0), abs(band.middle - cell.middle))

    return min(range(len(bands)), key=lambda index: distance(bands[index]))


def spans_of(cells: Sequence[LineCell], bands: Sequence[Band], size: float) -> list[tuple[int, int]]:
    """For headings in reading direction, the columns that each covers (end exclusive), without overlaps.

    A heading is centred over its columns, or ends where their numbers end. Among all ways to divide the columns, the
    one with the headings closest to these positions is chosen.
    """
    count, most = len(cells), len(bands)
    if not count or count > most:
        return [(index, index + 1) for index in (band_at(bands, cell) for cell in cells)] if most else []
    if count == 1 and most > 1 and _names_every(cells[0], bands, size):
        return [(0, most)]
    widened = _WIDENED * size * (not _shares_evenly(cells, bands, size))

    @cache
    def best(cell: int, column: int) -> tuple[float, tuple[tuple[int, int], ...]]:
        if cell == count:
            return (most - column) * _UNNAMED * size, ()
        choices = []
        for start in range(column, most - (count - cell) + 1):
            skipped = (start - column) * _UNNAMED * size
            for end in range(start + 1, most - (count - cell) + 2):
                own = _misplaced(cells[cell], bands[start:end], size)
                own += _COVERED * size * sum(_covers(cells[cell], band) for band in (*bands[:start], *bands[end:]))
                if end - start > 1 and any(_is_aligned(cells[cell], band) for band in bands[start:end]):
                    own += widened
                rest, spans = best(cell + 1, end)
                choices.append((skipped + own + rest, ((start, end), *spans)))
        return min(choices)

    return list(best(0, 0)[1])


def _shares_evenly(cells: Sequence[LineCell], bands: Sequence[Band], size: float) -> bool:
    """Whether each heading may cover the same number of columns. A heading over one column may also be the first line
    of the column's name, as wide as the column."""
    if any(_PERIOD.search(cell.text) or is_units(cell.text) for cell in cells):
        return True
    group, rest = divmod(len(bands), len(cells))
    if rest:
        return False
    groups = [bands[at * group : (at + 1) * group] for at in range(len(cells))]
    return all(_off_centre(cell, own) < _CENTRED * size for cell, own in zip(cells, groups, strict=True))


def _names_every(cell: LineCell, bands: Sequence[Band], size: float) -> bool:
    """Whether a single period applies to all columns; a period without a year is completed by the headings below."""
    if not _PERIOD.search(cell.text):
        return False
    width, off = bands[-1].x1 - bands[0].x0, _off_centre(cell, bands)
    if _WAITS.search(cell.text):
        return off < 0.25 * width
    return not _fills_one(cell, bands) and off < max(_CENTRED * size, 0.12 * width)


def _fills_one(cell: LineCell, bands: Sequence[Band]) -> bool:
    """Whether a heading ends at the right edge of one column's numbers, as right-aligned ones do."""
    return any(abs(cell.x1 - band.right) < 1 for band in bands[:: len(bands) - 1])


def _covers(cell: LineCell, band: Band) -> bool:
    """Whether a heading is above most of a column."""
    return min(cell.x1, band.x1) - max(cell.x0, band.x0) >= _MOST_OF_IT * (band.x1 - band.x0)


def _is_aligned(cell: LineCell, band: Band) -> bool:
    within = cell.x0 >= band.x0 - 4 and cell.x1 <= band.x1 + 4
    return within and (abs(cell.x1 - band.right) < 1 or abs(cell.middle - band.middle) < 4)


def _off_centre(cell: LineCell, bands: Sequence[Band]) -> float:
    with_signs = abs(cell.middle - (bands[0].x0 + bands[-1].x1) / 2)
    return min(with_signs, abs(cell.middle - (bands[0].left + bands[-1].right) / 2))


def _misplaced(cell: LineCell, bands: Sequence[Band], size: float) -> float:
    left, right = bands[0].x0, bands[-1].x1
    centred = _off_centre(cell, bands)
    if len(bands) > 1:
        overhang = max(0.0, left - cell.x0) + max(0.0, cell.x1 - right)
        return centred + 3 * max(0.0, centred - _CENTRED * size) + overhang
    return min(centred, abs(cell.right - bands[0].right), abs(cell.x1 - right), abs(cell.x0 - left))
