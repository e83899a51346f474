"""Rows that add up the rows above them: by what they are called, or by their figures."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.note_marks import without_note_marks
from core.language.vocabulary import pattern_of
from core.library.tables.cells import printed_decimals
from core.library.tables.records import Cell

_CALLED = pattern_of("library/tables.total_rows.called")
_PART = pattern_of("library/tables.total_rows.part")
_BARE = pattern_of("library/tables.total_rows.bare")
_LEAST_PARTS, _FEW = 2, 3
_MOST_ROWS = 2_000
"""Rows of a table whose last row is held to the others; a longer one is a list of records."""
_EXACT = 100.0
"""Below it whole numbers add up to the last unit: small counts meet by chance."""


def is_called_total(label: str) -> bool:
    """Whether a label says that its row or column adds up others, in any of the languages known."""
    return bool(_CALLED.search(without_note_marks(label).strip()))


def is_called_subtotal(label: str) -> bool:
    """Whether a label says that it adds up some rows of a section that goes on."""
    return is_called_total(label) and bool(_PART.search(label.strip()))


def is_bare_total(label: str) -> bool:
    """Whether a label says "total" in some language, and nothing else."""
    bare = without_note_marks(label).strip(" :.*")
    return bool(bare) and bool(_BARE.fullmatch(bare))


def is_sum(last: Sequence[Cell], parts: Sequence[Sequence[Cell]]) -> bool:
    """Whether ``last`` is the sum of ``parts``, row by row, in every column in which it has a figure.

    Two parts that add up in one column only are no evidence.
    """
    if not _LEAST_PARTS <= len(parts) <= _MOST_ROWS:
        return False
    columns = 0
    for place, cell in enumerate(last):
        if cell.value is None:
            continue
        values = [row[place].value for row in parts if place < len(row)]
        figures = [value for value in values if value is not None]
        if not any(figures) and not cell.value:
            continue
        if len(figures) < _LEAST_PARTS or not _adds_up(figures, cell):
            return False
        columns += 1 if len(figures) < _FEW else 2
    return columns >= _FEW - 1


def _adds_up(figures: Sequence[float], last: Cell) -> bool:
    value = last.value or 0.0
    decimals = printed_decimals(last.text, value)
    unit = 10.0**-decimals if decimals or abs(value) >= _EXACT else 0.0
    return abs(sum(figures) - value) <= unit + 1e-9 * abs(value)
