"""Rows of cells as one table block, the same way for every format."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.library.extract.text import normalise_line
from core.library.extracted import Block

SEPARATOR = " | "
MOST_COLUMNS = 1_000
_NUMBER = re.compile(r"[\d\s.,:/%+\-()$€£₪#*x×°]*\d[\d\s.,:/%+\-()$€£₪#*x×°]*")
_YEAR = re.compile(r"(19|20)\d\d")
_LONGEST_HEADING = 120

Row = Sequence[str]


def table_block(
    rows: Sequence[Row],
    headings: int | None = None,
    page: int | None = None,
    sheet: str | None = None,
    cautious: bool = False,
) -> Block | None:
    """A table as text, or ``None`` when every cell is empty.

    Args:
        rows: cells in reading order; short rows are filled up with empty cells.
        headings: how many first rows are column headings; ``None`` to judge by the cells.
        cautious: of a two-column table believe in headings only on evidence, as it may be names and values.
    """
    filled = _filled(rows)
    if not filled:
        return None
    count = (1 if has_headings(filled, cautious) else 0) if headings is None else headings
    count = min(count, len(filled) - 1)
    header = " / ".join(_line(row) for row in filled[:count]) if count > 1 else _line(filled[0]) if count else None
    body = "\n".join(_line(row) for row in filled[count:])
    return Block(text=body, kind="table", page=page, sheet=sheet, header=header)


def _line(row: Row) -> str:
    """Cells in a line; a text that spans the whole table is said once."""
    return row[0] if len(set(row)) == 1 else SEPARATOR.join(row).strip()


def _filled(rows: Sequence[Row]) -> list[list[str]]:
    """Clean cells without empty rows and columns, every row equally long."""
    clean = [[normalise_line(cell).replace("|", "¦") for cell in row[:MOST_COLUMNS]] for row in rows]
    clean = [row for row in clean if any(row)]
    width = max((len(row) for row in clean), default=0)
    used = sorted({index for row in clean for index, cell in enumerate(row) if cell})
    if len(used) == width and all(len(row) == width for row in clean):
        return clean
    return [[row[index] if index < len(row) else "" for index in used] for row in clean]


def has_headings(rows: Sequence[Row], cautious: bool = False) -> bool:
    """Whether the first row names the columns: short filled cells that differ in kind from those below."""
    if len(rows) < 2:
        return False
    first, below = rows[0], rows[1:50]
    named = [cell for cell in first[1:] if cell] if not first[0] else [cell for cell in first if cell]
    expected = len(first) - 1 if not first[0] else len(first)
    if not named or len(named) < 0.7 * expected or max(map(len, named)) > _LONGEST_HEADING:
        return False
    if len(set(named)) < 0.7 * len(named):
        return False
    contrasts = [_contrast(first[i], [row[i] for row in below if row[i]]) for i in range(len(first)) if first[i]]
    if any(contrasts) or _are_short_above_long(first, below):
        return True
    if all(is_number(cell) for cell in named):
        return False
    return not any(is_number(cell) for cell in named) and (not cautious or len(first) > 2)


def _contrast(head: str, below: Sequence[str]) -> bool:
    """Words above numbers, numbers above words, or years above figures."""
    if not below:
        return False
    if _YEAR.fullmatch(head):
        return not any(_YEAR.fullmatch(cell) for cell in below)
    numbers = sum(is_number(cell) for cell in below)
    return numbers > 0.6 * len(below) if not is_number(head) else numbers < 0.2 * len(below)


def _are_short_above_long(first: Row, below: Sequence[Row]) -> bool:
    """Every column has texts much longer than the name above it."""
    for index, head in enumerate(first):
        cells = [row[index] for row in below if row[index]]
        if not cells or sum(map(len, cells)) / len(cells) < 2.5 * max(len(head), 4):
            return False
    return True


def is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell))
