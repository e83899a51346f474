"""Finds the tables of a staged sheet: their headings, titles, notes, rows and columns.

Rows without an empty row between them are a block. A block of headings belongs to the block below it; a block without
headings continues the table above it; lines with one text are titles or notes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from core.datasets.reading.cell_kinds import kind_of, shown
from core.datasets.reading.headings import MOST_HEADINGS, count_headings
from core.datasets.reading.staging import RawSheet
from core.datasets.records import ROW

if TYPE_CHECKING:
    import duckdb

EDGE = 24
"""Number of rows at each end of a block that are looked at."""
MOST_BLOCKS = 400
_LONGEST_LINE = 400
_LEAST_LIST = 3
_LEAST_TABLES = 2
"""Minimum number of tables next to each other, and of the columns of each."""

Row = tuple[int, tuple[str, ...]]
"""A row's number and its cells; empty cells are empty texts."""


@dataclass
class Block:
    """Consecutive filled rows of a sheet: their first and last number, their count, their first and last rows, and how
    many cells of each column are filled."""

    first: int
    last: int
    count: int
    top: list[Row] = field(default_factory=list)
    bottom: list[Row] = field(default_factory=list)
    filled: tuple[int, ...] = ()


@dataclass
class Region:
    """A table of a sheet: ``heads`` are its heading rows, ``first`` and ``last`` the numbers of its first and last row,
    ``columns`` the places of its columns in the sheet."""

    heads: list[Row]
    first: int
    last: int
    columns: list[int]
    titles: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    sample: list[Row] = field(default_factory=list)


def regions_of(database: duckdb.DuckDBPyConnection, sheet: RawSheet) -> list[Region]:
    """Returns the tables of a sheet in order."""
    found: list[Region] = []
    lines: list[str] = []
    heads: list[Row] = []
    blocks = blocks_of(database, sheet)
    if sheet.heads is not None:
        return _whole(blocks, sheet.heads)
    for block, below_it in zip_longest(blocks, blocks[1:]):
        above, body, below = _parted(block)
        lines += [text for _, cells in above if (text := line_of(cells))]
        if not body:
            lines += [text for _, cells in heads if (text := line_of(cells))]
            heads = []
            continue
        sample = [*body, *[row for row in block.bottom if row[0] > body[-1][0] and row not in below]]
        count = count_headings([cells for _, cells in sample])
        if not below and _are_headings(body, below_it):
            lines += [text for _, cells in heads if (text := line_of(cells))]
            heads = body
            continue
        if heads and not count and _fits(heads, sample):
            sample, count, heads = [*heads, *sample], len(heads), []
        last = below[0][0] - 1 if below else block.last
        notes = [line_of(cells) for _, cells in below]
        if found and not lines and not count and _continues(found[-1], sample):
            found[-1].last = last
            found[-1].notes += notes
            continue
        lines += [text for _, cells in heads if (text := line_of(cells))]
        found += side_by_side(_region(block, sample, count, last, lines, notes))
        lines, heads = [], []
    if found:
        found[-1].notes += [*lines, *(line_of(cells) for _, cells in heads)]
    return found


def _whole(blocks: Sequence[Block], heads: int) -> list[Region]:
    """The one table of a sheet whose number of heading rows is known."""
    rows = [row for block in blocks for row in block.top][: EDGE + heads]
    if len(rows) <= heads:
        return []
    columns = [place for place in range(len(rows[0][1])) if any(block.filled[place] for block in blocks)]
    return [Region(rows[:heads], rows[heads][0], blocks[-1].last, columns, sample=rows[heads:])]


def _region(block: Block, sample: list[Row], count: int, last: int, titles: list[str], notes: list[str]) -> Region:
    named = {place for _, cells in sample[:count] for place, text in enumerate(cells) if text}
    columns = sorted({place for place, number in enumerate(block.filled) if number} | named) or [0]
    body = sample[count:]
    return Region(sample[:count], body[0][0], last, columns, list(dict.fromkeys(titles)), notes, body)


def side_by_side(region: Region) -> list[Region]:
    """Returns the tables next to each other, with an empty column between them. Each has headings and begins
    with a column of texts; they have different numbers of rows, or the same headings."""
    groups: list[list[int]] = []
    for place in region.columns:
        if groups and place == groups[-1][-1] + 1:
            groups[-1].append(place)
        else:
            groups.append([place])
    if len(groups) < _LEAST_TABLES or not region.heads or not all(_is_table(region, columns) for columns in groups):
        return [region]
    heads = region.heads[-1][1]
    names = {tuple(heads[place] for place in columns) for columns in groups}
    counts = {sum(any(cells[place] for place in columns) for _, cells in region.sample) for columns in groups}
    if len(names) > 1 and len(counts) == 1:
        return [region]
    return [
        replace(region, columns=columns, notes=list(region.notes), titles=list(region.titles)) for columns in groups
    ]


def _is_table(region: Region, columns: list[int]) -> bool:
    """Whether some columns of a region have all their headings, and texts in the first column."""
    heads = region.heads[-1][1]
    if len(columns) < _LEAST_TABLES or not all(place < len(heads) and heads[place] for place in columns):
        return False
    kinds = [kind_of(cells[columns[0]]) for _, cells in region.sample]
    return kinds.count("text") > len(kinds) / 3


def _are_headings(body: list[Row], below: Block | None) -> bool:
    """Whether all rows above an empty row are the headings of the block below it."""
    if below is None or len(body) > MOST_HEADINGS:
        return False
    rows = _parted(below)[1]
    if not rows or not _fits(body, rows):
        return False
    return count_headings([cells for _, cells in [*body, *rows]]) == len(body)


def line_of(cells: Sequence[str]) -> str:
    """Returns a row as one line."""
    return " ".join(dict.fromkeys(shown(text) for text in cells if text))[:_LONGEST_LINE]


def _parted(block: Block) -> tuple[list[Row], list[Row], list[Row]]:
    """The lines at the top of a block, its rows, and the lines at its end."""
    rows = list(block.top)
    single = [_is_single(cells) for _, cells in rows]
    start = next((place for place, line in enumerate(single) if not line), len(rows))
    if start == len(rows) and (block.count > len(rows) or _is_list(block)):
        start = 0
    body = rows[start:]
    below: list[Row] = []
    if body and sum(map(bool, block.filled)) > 1:
        tail = body if block.count <= len(rows) else block.bottom
        while len(tail) > 1 and _is_note(tail[-1][1]):
            below.insert(0, tail[-1])
            tail = tail[:-1]
        body = [row for row in body if not below or row[0] < below[0][0]]
    return rows[:start], body, below


def _is_list(block: Block) -> bool:
    """Whether rows with one text each are a table of one column and not lines of a text."""
    return block.count >= _LEAST_LIST and not any(" " in line_of(cells) for _, cells in block.top)


def _is_single(cells: Sequence[str]) -> bool:
    """Whether a row has one text only, which may be repeated over merged cells."""
    return len(set(filter(None, cells))) <= 1


def _is_note(cells: Sequence[str]) -> bool:
    filled = [place for place, text in enumerate(cells) if text]
    return len(filled) == 1 and filled[0] == 0 and " " in cells[0].strip()


def _fits(heads: Sequence[Row], sample: Sequence[Row]) -> bool:
    """Whether headings above an empty row name most columns of the rows below it."""
    named = {place for _, cells in heads for place, text in enumerate(cells) if text}
    used = {place for _, cells in sample for place, text in enumerate(cells) if text}
    return len(named & used) >= max(1, len(used) // 2)


def _continues(region: Region, sample: Sequence[Row]) -> bool:
    """Whether rows below an empty row belong to the table above it."""
    used = {place for _, cells in sample for place, text in enumerate(cells) if text}
    return used <= set(region.columns) and (len(used) > 1 or len(region.columns) == 1)


def blocks_of(database: duckdb.DuckDBPyConnection, sheet: RawSheet) -> list[Block]:
    """Returns the blocks of a sheet, at most ``MOST_BLOCKS``."""
    counts = ", ".join(f"count({column})" for column in sheet.columns)
    islands = f"SELECT *, {ROW} - row_number() OVER (ORDER BY {ROW}) AS island FROM {sheet.source}"
    found = database.execute(
        f"SELECT min({ROW}), max({ROW}), count(*), {counts} FROM ({islands}) GROUP BY island ORDER BY 1 "
        f"LIMIT {MOST_BLOCKS}"
    ).fetchall()
    blocks = [Block(row[0], row[1], row[2], filled=tuple(row[3:])) for row in found]
    edges = " OR ".join(
        f"{ROW} BETWEEN {first} AND {last}"
        for block in blocks
        for first, last in (
            (block.first, block.first + EDGE - 1),
            (max(block.last - EDGE + 1, block.first), block.last),
        )
    )
    rows = rows_of(database, sheet, edges) if blocks else []
    by_block: dict[int, list[Row]] = defaultdict(list)
    place = 0
    for row in rows:
        while row[0] > blocks[place].last:
            place += 1
        by_block[place].append(row)
    for number, block in enumerate(blocks):
        block.top = [row for row in by_block[number] if row[0] < block.first + EDGE]
        block.bottom = [row for row in by_block[number] if row[0] > block.last - EDGE]
    return blocks


def rows_of(database: duckdb.DuckDBPyConnection, sheet: RawSheet, where: str) -> list[Row]:
    """Returns the rows of a sheet under a condition of SQL, in order."""
    found = database.execute(
        f"SELECT {ROW}, {', '.join(sheet.columns)} FROM {sheet.source} WHERE {where} ORDER BY {ROW}"
    ).fetchall()
    return [(row[0], tuple(text or "" for text in row[1:])) for row in found]
