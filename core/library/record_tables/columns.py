"""Classifies the columns of a table of records: *rows* → the text columns, which get vectors for semantic search."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.library.record_tables.bounds import SMALL_ROWS
from core.library.tables.records import Table

SAMPLE_ROWS = 1_000
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 3
_LEAST_SHARE = 0.5
"""Share of the filled cells in a text column that must have several words."""
_MOST_REPEATED = 10
_SENTENCE = 4.0
"""If each text occurs ``_MOST_REPEATED`` times on average, the column holds categories, unless its texts have at least
``_SENTENCE`` words on average."""


def is_record_table(table: Table) -> bool:
    """Whether the rows are records: there are many, and the column headings are not periods."""
    if len(table.rows) <= SMALL_ROWS:
        return False
    periods = sum(column.period is not None for column in table.columns)
    return 2 * periods < max(len(table.columns), 1)


def text_columns(rows: Sequence[Sequence[str]]) -> frozenset[int]:
    """The columns whose cells are mostly prose, judged from rows spread over all of ``rows``."""
    sample = rows[:: max(1, len(rows) // SAMPLE_ROWS)]
    width = max(map(len, sample), default=0)
    return frozenset(
        column for column in range(width) if _is_prose([row[column] for row in sample if column < len(row)])
    )


def _is_prose(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    words = [count for cell in filled if (count := len(_WORD.findall(cell[:200]))) >= _LEAST_WORDS]
    if len(words) < max(1, _LEAST_SHARE * len(filled)):
        return False
    return len(filled) < _MOST_REPEATED * len(set(filled)) or sum(words) >= _SENTENCE * len(words)


def prose_of(row: Sequence[str], columns: frozenset[int]) -> str:
    """The row's texts from its text columns."""
    return " · ".join(row[column] for column in sorted(columns) if column < len(row) and row[column])
