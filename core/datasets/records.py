"""Defines a dataset: a table whose rows are things, with typed columns, stored as a Parquet file."""

from __future__ import annotations

from pydantic import BaseModel

from core.library.records import WebOrigin
from core.records.data_answer import ColumnType

__all__ = ["DATED", "NUMERIC", "ROW", "Column", "ColumnType", "Dataset", "TotalRow"]

NUMERIC: frozenset[ColumnType] = frozenset(("number", "money", "percent"))
DATED: frozenset[ColumnType] = frozenset(("date", "datetime"))

ROW = "_row"
"""The Parquet column with the number of a row in its sheet or file, from 1, as a spreadsheet shows it."""


class Column(BaseModel, frozen=True):
    """A column of a dataset.

    ``key`` names it in the Parquet file (``c0``, ``c1``, …), ``name`` is its heading. ``unit`` is the unit or currency
    of all its values (``kg``, ``EUR``). If units differ from row to row, ``unit_key`` is the column of the Parquet file
    that holds them: that of a column of currencies or units next to it, or one made from the cells (``c3_unit``).
    ``values`` are all different values of a category, a boolean or a short code, the most frequent first; of other
    columns, ``samples`` are a few. ``least`` and ``most`` are the ends of numbers (plain decimal) and dates (ISO 8601).
    """

    key: str
    name: str
    type: ColumnType
    unit: str = ""
    unit_key: str | None = None
    nulls: int = 0
    distinct: int = 0
    values: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    least: str = ""
    most: str = ""
    corrected: bool = False

    @property
    def is_numeric(self) -> bool:
        return self.type in NUMERIC

    @property
    def is_dated(self) -> bool:
        return self.type in DATED


class TotalRow(BaseModel, frozen=True):
    """A row that sums up other rows and is not counted as one: its ``row`` number and its cells as displayed."""

    row: int
    cells: tuple[str, ...]


class Dataset(BaseModel, frozen=True):
    """A table whose rows are things.

    ``id`` is stable when the document is read again. ``sheet`` is the sheet's name, or empty. ``digest`` names the
    Parquet file in the file store. ``long_of`` is the id of the wide table of which this is the long form (a row for
    each thing and month). ``titles`` are the lines above the table, ``notes`` the lines below it, ``totals`` its rows
    of totals; none of them is a row. ``repeated`` counts the rows that repeat an earlier row exactly. ``head_row`` is
    the number of the last heading row in the sheet. ``of_sections``: a row is a section of a text, such as a contract
    of a register, and not a row of a table. ``description`` says in a sentence what a row is. ``origin`` is that of its
    document, if it was fetched from a web page or an open data portal.
    """

    id: str
    document_id: str
    name: str
    sheet: str = ""
    digest: str = ""
    rows: int = 0
    columns: tuple[Column, ...] = ()
    long_of: str | None = None
    titles: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    totals: tuple[TotalRow, ...] = ()
    repeated: int = 0
    head_row: int = 0
    page: int | None = None
    of_sections: bool = False
    description: str = ""
    origin: WebOrigin | None = None

    def column(self, name: str) -> Column | None:
        """Returns the column with this heading or key; upper and lower case do not matter."""
        wanted = name.strip().casefold()
        exact = (column for column in self.columns if column.name.casefold() == wanted)
        return next(exact, next((column for column in self.columns if column.key == wanted), None))
