"""Fills in what a table says once for several rows: group labels above rows, and labels with empty cells below."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from core.datasets.reading.cell_kinds import kind_of
from core.datasets.reading.layout import Region, rows_of
from core.datasets.reading.staging import RawSheet
from core.datasets.records import ROW

if TYPE_CHECKING:
    import duckdb

_LEAST_COLUMNS = 3
_LEAST_GROUPS = 2
_MOST_GROUPS = 5_000
_MOST_SHARE = 1 / 3
"""Share of the rows that may be labels of groups."""
_LEAST_EMPTY = 0.2
"""Share of the cells of a column of labels that are empty because the label above holds for them."""


def with_groups(
    database: duckdb.DuckDBPyConnection, sheet: RawSheet, region: Region
) -> tuple[RawSheet, Region, list[int]]:
    """Returns the sheet and the table with a further column for the labels of groups, or with the empty cells of its
    first column filled from above; and the numbers of the rows that are only labels."""
    labels = _label_rows(database, sheet, region)
    if labels:
        first = region.columns[0]
        numbers = ", ".join(map(str, labels))
        label = f"last_value(CASE WHEN {ROW} IN ({numbers}) THEN v{first} END IGNORE NULLS) OVER (ORDER BY {ROW})"
        view = f"(SELECT *, {label} AS v{sheet.width} FROM {sheet.source})"
        return replace(sheet, view=view, width=sheet.width + 1), _with_column(region, sheet.width), labels
    if _holds_for_rows_below(region):
        first = region.columns[0]
        within = f"{ROW} BETWEEN {region.first} AND {region.last}"
        label = f"CASE WHEN {within} THEN last_value(v{first} IGNORE NULLS) OVER (ORDER BY {ROW}) ELSE v{first} END"
        return replace(sheet, view=f"(SELECT * REPLACE ({label} AS v{first}) FROM {sheet.source})"), region, []
    return sheet, region, []


def _with_column(region: Region, place: int) -> Region:
    return replace(region, columns=[*region.columns, place])


def _label_rows(database: duckdb.DuckDBPyConnection, sheet: RawSheet, region: Region) -> list[int]:
    """The rows with a text in the first column only, if the table begins with one and none follows another."""
    others = region.columns[1:]
    if len(region.columns) < _LEAST_COLUMNS or not region.sample or any(_cell(region.sample[0][1], p) for p in others):
        return []
    first = region.columns[0]
    empty = " AND ".join(f"v{place} IS NULL" for place in others)
    where = f"{ROW} BETWEEN {region.first} AND {region.last} AND v{first} IS NOT NULL AND {empty}"
    found = [number for number, _ in rows_of(database, sheet, where)]
    counted = database.execute(
        f"SELECT count(*) FROM {sheet.source} WHERE {ROW} BETWEEN {region.first} AND {region.last}"
    ).fetchone()
    rows = int(counted[0]) if counted else 0
    if not _LEAST_GROUPS <= len(found) <= min(_MOST_GROUPS, rows * _MOST_SHARE):
        return []
    return [] if any(other - one == 1 for one, other in pairwise(found)) else found


def _holds_for_rows_below(region: Region) -> bool:
    """Whether the first column has each label once, above rows with an empty cell."""
    if len(region.columns) < _LEAST_COLUMNS:
        return False
    first, second = region.columns[0], region.columns[1]
    cells = [_cell(row, first) for _, row in region.sample]
    labels = [text for text in cells if text]
    if not cells or not cells[0] or len(set(labels)) < len(labels) or len(labels) < _LEAST_GROUPS:
        return False
    empty = [row for (_, row), text in zip(region.sample, cells, strict=True) if not text]
    is_text = all(kind_of(text) == "text" for text in labels)
    return is_text and len(empty) >= _LEAST_EMPTY * len(cells) and all(_cell(row, second) for row in empty)


def _cell(row: tuple[str, ...], place: int) -> str:
    return row[place] if place < len(row) else ""
