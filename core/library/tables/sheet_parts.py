"""Splits a sheet's rows into tables and single lines, at empty rows that do not separate headings from numbers.

A part with only column headings belongs to the numbers below it; a part that begins with numbers continues the table
above it. A single line is a title, a remark, or a heading of the rows that follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from core.language.total_labels import is_called_total
from core.library.tables.cells import is_date, is_figure, is_year
from core.library.tables.periods import period_of
from core.library.tables.units import is_units

MOST_HEADS = 4
_LONGEST_HEADING = 120
_LONGEST_LABEL = 60
_MOST_LABELS = 3
_WIDEST_GAP = 1
"""Maximum number of empty rows inside a table; more of them end it."""
_LEAST_NAMED = 0.5
"""Share of the number columns that headings above an empty row must name."""
_LEAST_COLUMN = 4
"""At least this many consecutive rows with one cell each are a table of one column and not titles."""
_LEAST_SHIFTED = 2
"""Number of rows, and of headings above numbers, needed to detect a heading row that begins one column too early."""
_LEAST_WORDS = 3
"""Number of rows needed if the headings contain no periods, because the first might belong to the labels."""

Rows = list[list[str]]


@dataclass(frozen=True)
class SheetLine:
    """A row with a single text; ``gap`` is the number of empty rows before it."""

    cells: list[str]
    gap: int = 0

    @property
    def text(self) -> str:
        return " ".join(dict.fromkeys(filter(None, self.cells)))


@dataclass
class SheetTable:
    """A table in a sheet. ``rows`` include the headings; ``title`` is the line directly above; ``is_headed``: the
    numbers have headings."""

    rows: Rows
    title: str | None = None
    is_headed: bool = False
    first: int = 0
    figures: set[int] = field(default_factory=set)

    @property
    def width(self) -> int:
        return max(map(len, self.rows))


def sheet_parts(rows: Sequence[list[str]]) -> list[SheetLine | SheetTable]:
    """Lines and tables in reading order; every filled row is in exactly one of them."""
    found: list[SheetLine | SheetTable] = []
    for gap, part in _filled_runs(rows):
        lines = _lines(part, gap)
        rest = part[len(lines) :]
        if not rest:
            found += lines
            continue
        between = [*_lines_behind(found), *lines]
        above = found[-1 - len(between) + len(lines)] if len(found) > len(between) - len(lines) else None
        if isinstance(above, SheetTable) and _belongs(above, between, rest, gap):
            del found[len(found) - (len(between) - len(lines)) :]
            above.rows += [*(line.cells for line in between), *rest]
            above.is_headed = True
            above.figures |= _figure_columns(rest, above.first)
            continue
        found += [*lines, _table(rest, lines[-1].text if lines else None)]
    return found


def _filled_runs(rows: Sequence[list[str]]) -> Iterator[tuple[int, Rows]]:
    gap = 0
    for filled, run in groupby(rows, key=any):
        part = list(run)
        if filled:
            yield gap, part
        gap = len(part)


def _lines(part: Rows, gap: int) -> list[SheetLine]:
    """The titles at the beginning of a part; a column of values is a table of one column."""
    count = next((place for place, row in enumerate(part) if len(set(filter(None, row))) > 1), len(part))
    if count == len(part) >= _LEAST_COLUMN:
        return []
    return [SheetLine(row, 0 if place else gap) for place, row in enumerate(part[:count])]


def _lines_behind(found: Sequence[SheetLine | SheetTable]) -> list[SheetLine]:
    """The lines after the last table."""
    lines: list[SheetLine] = []
    for each in reversed(found):
        if isinstance(each, SheetTable):
            break
        lines.insert(0, each)
    return lines


def _table(rows: Rows, title: str | None) -> SheetTable:
    first = min(next(place for place, cell in enumerate(row) if cell) for row in rows)
    figures = _figure_columns(rows, first)
    return SheetTable(rows, title, bool(figures) and not _is_data(rows[0], first), first, figures)


def _belongs(above: SheetTable, between: Sequence[SheetLine], rows: Rows, gap: int) -> bool:
    """Whether ``rows`` without headings belong to the table above the empty rows."""
    if not above.figures and not between and not _figure_columns(rows, above.first):
        return _tells_times(above) and len(above.rows) + len(rows) <= MOST_HEADS
    if not _is_data(rows[0], above.first) or not _are_labels(between):
        return False
    if not above.figures:
        return _are_heads_of(above, rows)
    gaps = [gap, *(line.gap for line in between)]
    if not above.is_headed or max(gaps) > _WIDEST_GAP:
        return False
    width = max(map(len, rows))
    same = width == above.width or (width < above.width and is_called_total(rows[0][above.first]))
    return same and _figure_columns(rows, above.first) <= above.figures


def _tells_times(above: SheetTable) -> bool:
    """Whether headings contain only periods and units, so that other headings must be below them."""
    cells = {cell for row in above.rows for cell in row[above.first + 1 :] if cell}
    return bool(cells) and all(is_units(cell) or period_of(cell) for cell in cells)


def _are_labels(lines: Sequence[SheetLine]) -> bool:
    """Whether lines may be headings of a table's rows: few, and short."""
    short = all(len(line.text) <= _LONGEST_LABEL and not line.text.endswith(".") for line in lines)
    return short and len(lines) <= _MOST_LABELS


def _are_heads_of(above: SheetTable, rows: Rows) -> bool:
    """Whether a part without numbers contains the column headings of ``rows``."""
    heads = above.rows
    if len(heads) > MOST_HEADS or any(len(cell) > _LONGEST_HEADING for row in heads for cell in row):
        return False
    if not all(_may_follow(row, upper, above.first) for upper, row in pairwise(heads)):
        return False
    figures = _figure_columns(rows, above.first)
    filled = {place for row in rows for place, cell in enumerate(row) if cell}
    named = {place for row in heads for place, cell in enumerate(row) if cell and place > above.first}
    return named <= filled and len(named & figures) >= _LEAST_NAMED * len(figures)


def _may_follow(head: list[str], upper: list[str], first: int) -> bool:
    """Whether the next row can be a second heading row: it has no label, the same label, or the names that headings
    over several columns need, or only years and units."""
    label = head[first] if first < len(head) else ""
    if not label or is_units(label) or label == upper[first]:
        return True
    if not upper[first] and any(one == other and one for one, other in pairwise(upper[first + 1 :])):
        return True
    return all(is_year(cell) or is_date(cell) or is_units(cell) for cell in head[first + 1 :] if cell)


def _is_data(row: list[str], first: int) -> bool:
    return any(_is_plain_figure(cell) for cell in row[first + 1 :])


def _figure_columns(rows: Rows, first: int) -> set[int]:
    return {
        place for row in rows for place, cell in enumerate(row) if place > first and cell and _is_plain_figure(cell)
    }


def _is_plain_figure(cell: str) -> bool:
    return is_figure(cell) and not is_year(cell)


def with_shifted_head(rows: Rows, first: int) -> Rows:
    """``rows`` of equal width, with the heading row shifted over the numbers if it begins over the labels. Programs
    that omit the labels' heading may omit its cell too.

    Args:
        first: the column of the labels.
    """
    head, body = rows[0][first:], rows[1:]
    labels = [row[first] for row in body]
    if len(body) < _LEAST_SHIFTED or len(head) < _LEAST_SHIFTED + 1 or head[-1] or not all(head[:-1]):
        return rows
    times = [period_of(cell) is not None for cell in head[:-1]]
    if any(times) != all(times) or (not any(times) and len(body) < _LEAST_WORDS):
        return rows
    if not all(labels) or any(is_figure(label) or is_date(label) or period_of(label) for label in labels):
        return rows
    if not all(_is_plain_figure(cell) for row in body for cell in row[first + 1 :]):
        return rows
    return [[*rows[0][:first], "", *head[:-1]], *body]
