"""Opens a workbook with calamine, which reads values and hidden sheets, but no number formats."""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from core.library.extract import problems
from core.library.extract.text import normalise_line
from core.library.extract.workbooks.book import Book, Sheet
from core.library.extract.workbooks.date_formats import iso
from core.library.extract.workbooks.number_formats import general
from core.library.extract.workbooks.sheet_rows import SheetRow

_WHOLE = 1e15


@dataclass
class CalamineBook(Book):
    """An open workbook without known number formats."""

    def problems_met(self) -> list[problems.Note]:
        return [problems.no_formats()]


@dataclass
class _Values:
    """The rows of a sheet; positions before its first filled cell are empty."""

    book: CalamineWorkbook
    name: str
    hidden_columns: list[tuple[int, int]] = field(default_factory=list)
    broken: bool = False

    def rows(self) -> Iterator[SheetRow]:
        try:
            sheet = self.book.get_sheet_by_name(self.name)
        except CalamineError:
            self.broken = True
            return
        for number, values in enumerate(sheet.to_python(skip_empty_area=False), start=1):
            yield SheetRow(number, [value_text(value) for value in values])


def open_with_calamine(data: bytes, with_hidden: bool) -> CalamineBook:
    """The sheets to be read.

    Raises:
        CalamineError: it is not a workbook; a ``PasswordError`` if it is encrypted.
    """
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    tables = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    seen = [each for each in tables if with_hidden or each.visible == SheetVisibleEnum.Visible]
    return CalamineBook(
        [Sheet(normalise_line(each.name), _Values(book, each.name), with_hidden=with_hidden) for each in seen],
        [normalise_line(each.name) for each in tables if each not in seen],
    )


def value_text(value: Any) -> str:
    """A value without its format: whole numbers without decimals, dates as ISO dates, durations as hours and
    minutes."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return general(int(value) if abs(value) < _WHOLE and value == int(value) else value)
    if isinstance(value, datetime.datetime):
        return iso(value)
    if isinstance(value, datetime.time):
        return value.isoformat("minutes")
    if isinstance(value, datetime.timedelta):
        minutes = round(value.total_seconds()) // 60
        return f"{minutes // 60}:{minutes % 60:02d}"
    return value.isoformat() if isinstance(value, datetime.date) else normalise_line(str(value))
