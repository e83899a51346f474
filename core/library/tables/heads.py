"""Determines the column headings of a grid: how many rows they take, and which columns each one covers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from core.language.entities.calendar_words import FULL_MONTH
from core.language.vocabulary import phrases
from core.library.tables.cells import is_date, is_figure, is_nil, is_no_figure, is_year
from core.library.tables.grid import Grid, RawCell, RawRow
from core.library.tables.head_units import is_row_of_units
from core.library.tables.heads_of_words import has_headings
from core.library.tables.periods import period_of
from core.library.tables.units import is_units

_phrase = phrases("library/tables.heads")

MOST_HEADS = 9
_LONGEST_HEADING = 120
_PERIOD_WORDS = re.compile(
    rf"\b(years?|months?|weeks?|quarters?|ended|ending|fiscal|as of|as at|"
    rf"{_phrase('before_month')}?(?:{FULL_MONTH}))\b|{_phrase('periods')}",
    re.IGNORECASE,
)


def is_data(row: RawRow) -> bool:
    """Whether some cell next to the label is a number and not a year."""
    cells = row.figures
    if not cells:
        return False
    figures = [cell for cell in cells if is_figure(cell.text) and not is_year(cell.text)]
    if not figures:
        return False
    if all(is_nil(cell.text) for cell in figures):
        return bool(row.label) or len(figures) > 1
    return not (is_units(figures[0].text) and len(figures) == len(cells))


def count_heads(grid: Grid) -> int:
    """How many first rows of a grid with numbers are headings; at least one row must remain."""
    if grid.heads is not None:
        if grid.heads and all(_is_title(grid, row) for row in grid.rows[: grid.heads]):
            return max(grid.heads, count_heads(replace(grid, heads=None)))
        return min(_with_units(grid, _with_lower_levels(grid, grid.heads)), len(grid.rows) - 1)
    if not any(is_data(row) for row in grid.rows):
        return _of_texts(grid)
    count = 0
    named: set[int] = set()
    for row in grid.rows[: min(MOST_HEADS, len(grid.rows) - 1)]:
        if is_data(row) or not _continues_head(grid, row, named, count):
            break
        if not _is_upper_level(grid, count):
            named.update(column for cell in row.figures for column in range(cell.start, cell.end))
        count += 1
    return count if named or (count and grid.width < 2) else 0


def _with_units(grid: Grid, count: int) -> int:
    """``count`` heading rows, plus the rows of units directly below them."""
    while 0 < count < len(grid.rows) and _says_units(grid, count):
        count += 1
    return count


def _says_units(grid: Grid, place: int) -> bool:
    row = grid.rows[place]
    if all(is_units(cell.text) for cell in row.cells):
        return True
    return is_row_of_units(row) and place + 1 < len(grid.rows) and is_data(grid.rows[place + 1])


def _with_lower_levels(grid: Grid, count: int) -> int:
    """``count`` heading rows, plus the rows below that are needed to name each column."""
    while 0 < count < len(grid.rows) - 1 and (
        _is_upper_level(grid, count - 1) or _has_gaps(grid, count - 1) or _is_between(grid, count)
    ):
        count += 1
    return count


def _has_gaps(grid: Grid, place: int) -> bool:
    """Whether number columns have no heading in this row, but the row below names them together with all others."""
    row, below, after = (grid.rows[place : place + 3] + [RawRow([])] * 2)[:3]
    if is_data(below) or not is_data(after) or (row.label and below.label not in ("", row.label)):
        return False
    columns = range(1, grid.width)
    return all(map(below.text, columns)) and not all(map(row.text, columns))


def _is_between(grid: Grid, place: int) -> bool:
    """Whether a row without a label has a word above each of the numbers directly below it."""
    row = grid.rows[place]
    if row.label or is_data(row) or not is_data(grid.rows[place + 1]) or len(row.cells) < 2:
        return False
    texts = [row.text(column) for column in range(1, grid.width)]
    return all(text and len(text) <= _LONGEST_HEADING and not is_no_figure(text) for text in texts)


def _is_title(grid: Grid, row: RawRow) -> bool:
    """Whether a row is one cell across the whole table."""
    return len(row.cells) == 1 and row.cells[0].start == 0 and row.cells[0].end >= grid.width > 2


def _is_upper_level(grid: Grid, place: int) -> bool:
    """Whether headings cover several columns each, so that the row below must name the columns: both rows share one
    label, or only one of them has a label."""
    row, below = grid.rows[place], grid.rows[place + 1]
    if not below.figures or is_data(below) or (row.label and below.label and row.label != below.label):
        return False
    texts = [row.text(column) for column in range(1, grid.width)]
    if not any(one == other and one for one, other in pairwise(texts)):
        return False
    named = [bool(below.text(column)) for column in range(1, grid.width)]
    return bool(below.label and not row.label) or all(name for name, text in zip(named, texts, strict=True) if text)


def _continues_head(grid: Grid, row: RawRow, named: set[int], count: int) -> bool:
    cells = row.figures
    if not cells:
        return _is_head_line(grid, row, named, count)
    if max(len(cell.text) for cell in row.cells) > _LONGEST_HEADING:
        return False
    if any(is_no_figure(cell.text) for cell in cells) and row.label and named:
        return False
    if count and row.label and row.label == grid.rows[count - 1].label:
        return True
    is_complete = len(named) >= grid.width - 1
    if is_complete and len(cells) == 1 < grid.width - 1 and not row.label and not _names_all(cells[0].text):
        return False
    if is_row_of_units(row) and (row.label or not is_complete):
        return True
    if is_complete and row.label and not is_units(row.label):
        return all(is_year(cell.text) or is_date(cell.text) or is_units(cell.text) for cell in cells)
    return True


def _is_head_line(grid: Grid, row: RawRow, named: set[int], count: int) -> bool:
    """A line only in the label column: units, or the title before any heading."""
    if is_units(row.label):
        return True
    if named:
        return False
    following = grid.rows[count + 1] if count + 1 < len(grid.rows) else None
    return following is not None and not is_data(following) and bool(following.figures)


def _of_texts(grid: Grid) -> int:
    """For a grid of words: find a second heading row by its position, not by its words."""
    rows = [[row.text(column) for column in range(grid.width)] for row in grid.rows]
    titles = next((place for place, row in enumerate(grid.rows) if not _is_title(grid, row)), 0)
    count = titles
    while count < len(rows) - 2 and _is_upper_level(grid, count) and _names_groups(rows[count], rows[count + 1]):
        count += 1
    if count > titles:
        return count + 1
    return titles + 1 if has_headings(rows[titles:], grid.cautious) else 0


def _names_groups(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether two rows share the labels' heading, or the same names repeat under each upper heading."""
    if upper[0] and upper[0] == lower[0]:
        return True
    groups = [tuple(lower[place] for place in places) for places in _runs(upper)]
    return len(groups) > 1 and len(set(groups)) == 1 and len(set(groups[0])) == len(groups[0]) > 1


def _runs(texts: Sequence[str]) -> list[list[int]]:
    """The positions of equal adjacent texts, except for the label's."""
    return [list(run) for text, run in groupby(range(1, len(texts)), key=lambda place: texts[place]) if text]


def levels(grid: Grid, heads: Sequence[RawRow]) -> list[list[tuple[str, tuple[int, int]]]]:
    """For each column after the labels, its headings from top to bottom, each with the columns that it covers."""
    columns: list[list[tuple[str, tuple[int, int]]]] = [[] for _ in range(grid.width)]
    for number, row in enumerate(heads):
        cells = row.figures
        if not grid.spans and (number < len(heads) - 1 or all(is_units(cell.text) for cell in cells)):
            cells = _spanned_heads(cells, grid.width, heads[number + 1 :])
        for cell in cells:
            for column in range(max(cell.start, 1), min(cell.end, grid.width)):
                columns[column].append((cell.text, (cell.start, cell.end)))
    return columns[1:]


def _spanned_heads(cells: Sequence[RawCell], width: int, lower: Sequence[RawRow]) -> list[RawCell]:
    """Extend headings that are written in one of the columns they cover to all of them."""
    count = width - 1
    if not cells or len(cells) >= count or any(cell.end - cell.start > 1 for cell in cells):
        return list(cells)
    below = {cell.start for row in lower for cell in row.figures}
    if any(cell.start not in below for cell in cells) and len(cells) > 1:
        return list(cells)
    if len(cells) == 1:
        cell = cells[0]
        alone = cell.start == width - 1 and count > 2 and not _names_all(cell.text)
        return [cell if alone else RawCell(cell.text, 1, width)]
    if count % len(cells) == 0:
        size = count // len(cells)
        groups = [(1 + size * number, 1 + size * (number + 1)) for number in range(len(cells))]
        if all(start <= cell.start < end for cell, (start, end) in zip(cells, groups, strict=True)):
            return [RawCell(cell.text, *group) for cell, group in zip(cells, groups, strict=True)]
    ends = [cell.start for cell in cells[1:]] + [width]
    starts = [1] + [cell.start for cell in cells[1:]] if _names_all(cells[0].text) else [cell.start for cell in cells]
    return [RawCell(cell.text, start, end) for cell, start, end in zip(cells, starts, ends, strict=True)]


def _names_all(text: str) -> bool:
    return is_units(text) or bool(_PERIOD_WORDS.search(text)) or period_of(text) is not None


def flattened(named: Sequence[tuple[str, tuple[int, int]]]) -> list[str]:
    """Levels of one column: lines that cover the same columns are joined, and repeats removed."""
    found: list[tuple[str, tuple[int, int]]] = []
    for text, extent in named:
        if found and found[-1][0] == text:
            found[-1] = (text, extent)
        elif found and found[-1][1] == extent:
            found[-1] = (f"{found[-1][0]} {text}", extent)
        else:
            found.append((text, extent))
    return [text for text, _ in found]


def joined(head: Sequence[str]) -> str:
    """The levels of a heading as one text: ``Three Months Ended June 30, 2023``, ``Domestic · 2019``."""
    text = ""
    for level in head:
        runs_on = text.endswith((",", "-", "of", "ended", "Ended", ":")) or (
            is_year(level) and _PERIOD_WORDS.search(text)
        )
        text = f"{text}{' ' if runs_on else ' · '}{level}" if text else level
    return text
