"""Describes a dataset in a sentence: what its rows are, its columns, and its first and last date."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.reading.headings import Heading
from core.datasets.records import Column
from core.language.detection import detect
from core.messages import message

_NAMED = 6


def group_heading(headings: Sequence[Heading]) -> str:
    """Returns the heading of the column with the labels above groups of rows."""
    return message("datasets.description.group").to(detect(" ".join(heading.name for heading in headings)))


def describe(name: str, rows: int, columns: Sequence[Column]) -> str:
    """Returns the sentence, in Hebrew for a table with Hebrew headings."""
    language = detect(" ".join([name, *(column.name for column in columns)]))
    names = ", ".join(column.name for column in columns[:_NAMED]) + (", …" if len(columns) > _NAMED else "")
    key = "datasets.description.rows"
    values: dict[str, object] = {"name": name, "rows": f"{rows:,}", "columns": names}
    dated = next((column for column in columns if column.is_dated and column.least), None)
    if dated:
        key = "datasets.description.dated_rows"
        values |= {"first": dated.least[:10], "last": dated.most[:10]}
    return message(key, **values).to(language)
