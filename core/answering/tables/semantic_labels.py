"""Rows that mean what a phrase says in other words: phrase and tables → labels with how alike they are."""

from __future__ import annotations

from collections.abc import Sequence

from core.answering.records import Similar
from core.answering.tables.grid import TableGrid

MOST_TABLES = 3
MOST_LABELS = 40
LEAST_ALIKE = 0.6
"""Below it two phrases of one field are as alike as any."""


async def labels_by_meaning(similar: Similar, phrase: str, sheets: Sequence[TableGrid]) -> dict[str, float]:
    """The labels of the first tables that are alike enough, each 0..1; only the likest and what is as near."""
    labels = list(
        dict.fromkeys(row.label for sheet in sheets[:MOST_TABLES] for row in sheet.rows if row.has_figures and row.own)
    )[:MOST_LABELS]
    if not labels:
        return {}
    found = dict(zip(labels, await similar(phrase, labels), strict=True))
    best = max(found.values())
    return {label: alike for label, alike in found.items() if alike >= max(LEAST_ALIKE, 0.9 * best)}
