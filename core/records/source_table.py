"""Defines the rows that a tool found, as they are stored with an answer."""

from __future__ import annotations

from pydantic import BaseModel


class SourceTable(BaseModel, frozen=True):
    """Rows that a tool found. ``total`` is the tool's count of matches, of which these rows may be a part. ``changed``:
    when the source last changed, according to the source; ``roles``: how the columns may be drawn, if the source
    says so."""

    columns: list[str]
    rows: list[list[str | int | float | bool | None]]
    total: int | None = None
    changed: str = ""
    roles: list[str] = []
