"""Defines the place of a number in a document: the cell of a table, or a sentence."""

from __future__ import annotations

from pydantic import BaseModel


class CellReference(BaseModel, frozen=True):
    """A number in a document. If it is in a table, ``table`` is the table's number in the document, and ``row`` and
    ``column`` (from 0) give the cell; if it is in a sentence, all three are ``None``.

    ``number`` is the source's N in [N], ``item_id`` the passage that shows it. ``value`` is as printed, before
    ``scale``; ``unit`` is ``%``, ``days`` or similar, ``currency`` an ISO code; ``period`` a key of
    ``core.language.entities.periods``.
    """

    number: int
    document_id: str
    item_id: str = ""
    table: int | None = None
    row: int | None = None
    column: int | None = None
    label: str = ""
    header: str = ""
    text: str = ""
    value: float | None = None
    unit: str | None = None
    scale: float = 1.0
    currency: str | None = None
    period: str | None = None
    page: int | None = None
