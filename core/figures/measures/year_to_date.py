"""Finds the year-to-date period of a quarterly report, for figures that it prints for no quarter of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from core.figures.measures.statements import DocumentStatements
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.library.tables.records import Column

_PART = re.compile(r"\d{4}-(?:H[12]|9M)")
_QUARTER = re.compile(r"\d{4}-Q[1-4]")
_MONTHS = {"H": 6, "9": 9}
_DATED = DateReading(DAYS, needs_year=True)


def year_to_date(book: DocumentStatements, asked: Sequence[str]) -> str | None:
    """Returns the key of the newest period of six or nine months ("2031-06-30+6") if only the report's own quarter is
    ``asked``; ``None`` otherwise, or if no statement prints one."""
    if len(asked) != 1 or not _QUARTER.fullmatch(asked[0]) or asked[0] not in book.origin.periods:
        return None
    columns = (column for each in book.statements if each.likeness for column in each.table.columns)
    return max(_keys(columns), default=None)


def _keys(columns: Iterator[Column]) -> Iterator[str]:
    for column in columns:
        if not column.period or not _PART.fullmatch(column.period):
            continue
        days = [found.day for found in dates_in(" ".join(column.header), _DATED)]
        for day in days[-1:]:
            if day.year and day.month and day.day:
                yield f"{date(day.year, day.month, day.day).isoformat()}+{_MONTHS[column.period[5]]}"
