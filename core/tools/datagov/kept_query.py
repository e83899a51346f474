"""Says which rows and columns of kept rows a question asks for, as the catalogue's rules understood it."""

from __future__ import annotations

from core.tools.datagov.column_kinds import ColumnKind, serves
from core.tools.datagov.telling import Answer, notes_of
from core.tools.tool import Cell

GROUPS: tuple[ColumnKind, ...] = ("city", "district", "year", "month")
"""Kinds of columns that rows are grouped by when a question asks for them."""


def kept_query(told: Answer) -> dict[str, object]:
    """Returns the fields of ``KeptRows`` for the question. ``is_counted`` and ``sums`` are set only if filters account
    for all places and the year of the question, and the data set is likely the right one."""
    asked, columns = told.asked, told.rows.columns
    filters = {name: list(map(_bare, values)) for name, values in told.narrowed.filters.items()}
    groups = [
        next(column.name for column in columns if column.kind == kind)
        for kind in asked.columns
        if kind in GROUPS and any(column.kind == kind for column in columns)
    ]
    if not _is_filtered(told):
        return {"notes": notes_of(told), "fits": False}
    is_added_up = asked.added_up and bool(told.sums)
    for each in told.sums if is_added_up else ():
        year = next((column.name for column in columns if column.kind == "year"), None)
        if each.year is not None and year is not None and year not in groups:
            filters[year] = [each.year]
    return {
        "filters": filters,
        "groups": groups,
        "sums": [each.column for each in told.sums] if is_added_up else [],
        "is_counted": asked.counted or asked.added_up,
        "notes": notes_of(told),
        "fits": told.rows.complete or not told.sums,
    }


def _is_filtered(told: Answer) -> bool:
    is_likely = told.chosen.confidence != "low" and told.hint is None and not told.narrowed.missed
    kinds = [column.kind for column in told.rows.columns]
    has_columns = all(serves(kind, kinds) for kind in told.asked.columns)
    return is_likely and has_columns and not told.narrowed.words and not told.narrowed.unmet


def _bare(cell: Cell) -> Cell:
    return cell.strip() if isinstance(cell, str) else cell
