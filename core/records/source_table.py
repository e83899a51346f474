"""Defines the rows that a tool found or an answer was computed from, as they are stored with an answer."""

from __future__ import annotations

from pydantic import BaseModel


class SourceTable(BaseModel, frozen=True):
    """Rows that a tool found, or the rows of a dataset that an answer was computed from. ``total`` is the count of all
    matches, of which these rows may be a part. ``changed``: when the source last changed, according to the source;
    ``roles``: how the columns may be drawn, if the source says so. ``dataset``, ``dataset_id`` and ``sheet`` name the
    dataset; the first column then has the numbers of the rows in the sheet. ``is_fetched``: the rows are open data that
    was fetched for the conversation, so that they are not in the library."""

    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    total: int | None = None
    changed: str = ""
    roles: list[str] = []
    dataset: str = ""
    dataset_id: str = ""
    sheet: str = ""
    is_fetched: bool = False
