"""A table as a record: caption, columns with header, unit and period, rows with parents, typed cells."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

CellKind = Literal["empty", "text", "number", "share", "money", "date"]

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in points from the page's bottom left, as PDFium counts."""


class Cell(BaseModel, frozen=True):
    """``text`` as printed; ``value`` with sign and brackets understood (``(1,577)`` is -1577, ``12.5%`` is 12.5),
    before the table's scale is applied; ``currency`` is an ISO code."""

    text: str = ""
    kind: CellKind = "empty"
    value: float | None = None
    currency: str | None = None
    box: Box | None = None


class Column(BaseModel, frozen=True):
    """``header`` from the top level to the lowest; ``period`` as ``core.language.entities.periods`` writes its keys;
    ``unit`` and ``scale`` where they differ from the table's."""

    header: list[str] = []
    period: str | None = None
    unit: str | None = None
    scale: float | None = None


class Row(BaseModel, frozen=True):
    """``parents`` are the labels that the row is indented under, outermost first; ``cells`` one a column."""

    label: str = ""
    parents: list[str] = []
    cells: list[Cell] = []
    unit: str | None = None
    period: str | None = None
    page: int | None = None


class Table(BaseModel, frozen=True):
    """``columns`` leave out the one of row labels, whose heading is ``stub``.

    ``units`` is what is printed ("in millions, except per share"), ``scale`` the factor that it means (1e6),
    ``currency`` an ISO code; ``notes`` are the footnotes beneath. The rows of a large table are ``blocks``, which
    ``core.library.tables.packing`` unpacks; ``rows`` is then empty.
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
    blocks: list[str] = []
    packed_rows: int = 0

    @property
    def row_count(self) -> int:
        """Rows, packed or not."""
        return self.packed_rows or len(self.rows)
