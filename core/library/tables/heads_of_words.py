"""Decides from the cells whether the first row of a table of words contains column headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.entities.calendar_words import is_year
from core.language.note_marks import without_note_marks

_NUMBER = re.compile(r"[\d\s.,:/%+\-()$€£₪#*x×°]*\d[\d\s.,:/%+\-()$€£₪#*x×°]*")
_LONGEST_HEADING = 120

Row = Sequence[str]


def has_headings(rows: Sequence[Row], cautious: bool = False) -> bool:
    """Whether the first row has headings: short filled cells that differ in type from those below."""
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
    """Whether the heading differs from the cells below: words above numbers, numbers above words, or a year above other
    numbers."""
    if not below:
        return False
    if is_year(without_note_marks(head)):
        return not any(is_year(cell) for cell in below)
    numbers = sum(is_number(cell) for cell in below)
    return numbers > 0.6 * len(below) if not is_number(head) else numbers < 0.2 * len(below)


def _are_short_above_long(first: Row, below: Sequence[Row]) -> bool:
    """Whether every column has texts much longer than the name above it."""
    columns = ((head, [row[index] for row in below if row[index]]) for index, head in enumerate(first))
    return all(cells and sum(map(len, cells)) / len(cells) >= 2.5 * max(len(head), 4) for head, cells in columns)


def is_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(without_note_marks(cell)))
