"""Exports a table for spreadsheets: a table and a format → bytes."""

from __future__ import annotations

from typing import Literal

from core.library.tables.frames import to_csv, to_xlsx
from core.library.tables.packing import unpack
from core.library.tables.records import Table

Format = Literal["csv", "xlsx"]
MIME: dict[Format, str] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def spreadsheet(table: Table, format: Format) -> bytes:
    """The file's bytes; no text in it is run as a formula. A large table takes long: call it in a worker process."""
    table = unpack(table)
    return to_csv(table) if format == "csv" else to_xlsx(table)
