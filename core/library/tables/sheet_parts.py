"""The rows of a sheet as its tables and the lines between them: empty rows part them, but not headings from figures.

A part that only names columns belongs to the figures below it; one that begins with figures goes on with the table
above it. What is said in a line of its own is a title or a remark, or heads the rows that follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from core.library.tables.cells import is_date, is_figure, is_year
from core.library.tables.periods import period_of
from core.library.tables.total_rows import is_called_total
from core.library.tables.units import is_units

MOST_HEADS = 4
_LONGEST_HEADING = 120
_LONGEST_LABEL = 60
_MOST_LABELS = 3
_WIDEST_GAP = 1
"""Empty rows over which a table goes on; more of them end it."""
_LEAST_NAMED = 0.5
"""Share of the columns of figures that headings above an empty row must name."""
_LEAST_COLUMN = 4
"""Rows of one cell each that are a table of one column and no titles."""
_LEAST_SHIFTED = 2
"""Rows and headings of figures by which a heading row is seen to begin one column early."""
_LEAST_WORDS = 3
"""Rows of it where the headings say no times, and the first of them might be that of the labels."""

Rows = list[list[str]]


@dataclass(frozen=True)
class SheetLine:
    """A row that says one thing; ``gap`` empty rows come before it."""

    cells: list[str]
    gap: int = 0

    @property
    def text(self) -> str:
        return " ".join(dict.fromkeys(filter(None, self.cells)))


@dataclass
class SheetTable:
    """``rows`` with their headings; ``title`` is the line right above; ``is_headed``: figures are under headings."""

    rows: Rows
    title: str | None = None
    is_headed: bool = False
    first: int = 0
    figures: set[int] = field(default_factory=set)

    @property
    def width(self) -> int:
        return max(map(len, self.rows))


def sheet_parts(rows: Sequence[list[str]]) -> list[SheetLine | SheetTable]:
    """Lines and tables in reading order; every filled row is in one of them, once."""
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
    """Whether ``rows``, which no heading is over, are of the table above the empty rows."""
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
    """Whether headings say nothing but when, and in which units: others must be below them."""
    cells = {cell for row in above.rows for cell in row[above.first + 1 :] if cell}
    return bool(cells) and all(is_units(cell) or period_of(cell) for cell in cells)


def _are_labels(lines: Sequence[SheetLine]) -> bool:
    """Whether lines may head rows of a table: few, and short."""
    short = all(len(line.text) <= _LONGEST_LABEL and not line.text.endswith(".") for line in lines)
    return short and len(lines) <= _MOST_LABELS


def _are_heads_of(above: SheetTable, rows: Rows) -> bool:
    """Whether a part without figures names the columns of ``rows``."""
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
    """Whether a second row of headings names no row: no label, the one above it or what headings over several columns
    leave it to name, or only years and units."""
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
    """``rows`` of one width with a first row that begins over the labels moved over the figures: programs that leave
    out the name of the labels may leave out its cell too.

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
