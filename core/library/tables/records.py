"""Defines a table as a record: caption, columns with header, unit and period, rows with parents, typed cells."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

CellKind = Literal["empty", "text", "number", "share", "money", "date"]

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the page's bottom left, as PDFium counts."""


class Cell(BaseModel, frozen=True):
    """A cell. ``text`` as printed; ``value`` after interpreting signs and brackets (``(1,577)`` is -1577, ``12.5%`` is
    12.5), before the table's scale is applied; ``currency`` is an ISO code."""

    text: str = ""
    kind: CellKind = "empty"
    value: float | None = None
    currency: str | None = None
    box: Box | None = None


class Column(BaseModel, frozen=True):
    """A column. ``header`` from the top level to the lowest; ``period`` in the key format of
    ``core.language.entities.periods``; ``unit`` and ``scale`` if they differ from the table's."""

    header: list[str] = []
    period: str | None = None
    unit: str | None = None
    scale: float | None = None


class Row(BaseModel, frozen=True):
    """A row. ``parents`` are its parent labels, outermost first; ``cells`` has one per column."""

    label: str = ""
    parents: list[str] = []
    cells: list[Cell] = []
    unit: str | None = None
    period: str | None = None
    page: int | None = None


class Table(BaseModel, frozen=True):
    """A table. ``columns`` do not include the column of row labels, whose heading is ``stub``.

    ``units`` is the printed text ("in millions, except per share"), ``scale`` its factor (1e6), ``currency`` an ISO
    code; ``notes`` are the footnotes below. ``of_sections``: the rows are repeated sections of a text. The rows of a
    large table are in ``blocks``, which ``core.library.tables.packing`` unpacks; ``rows`` is then empty.
    """

    caption: str | None = None
    stub: str | None = None
    units: str | None = None
    scale: float = 1.0
    currency: str | None = None
    columns: list[Column] = []
    rows: list[Row] = []
    notes: list[str] = []
    page: int | None = None
    page_end: int | None = None
    sheet: str | None = None
    of_sections: bool = False
    blocks: list[str] = []
    packed_rows: int = 0

    @property
    def row_count(self) -> int:
        """The number of rows, packed or not."""
        return self.packed_rows or len(self.rows)
