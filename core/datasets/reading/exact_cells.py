"""Reads the cells of a workbook exactly: numbers unrounded, with the unit or currency of their number format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.datasets.reading.staging import NATIVE
from core.library.extract.workbooks.cell_styles import PLAIN, CellStyle
from core.library.extract.workbooks.date_formats import date_of
from core.library.extract.workbooks.number_formats import is_date_format, shown_number
from core.library.extract.workbooks.sheet_cells import SheetCells
from core.library.extract.workbooks.sheet_rows import Place, SheetRow

_SHOWN = re.compile(r"(?P<before>[^\d.]*?)(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)(?P<after>[^\d]*)")
_DAY = re.compile(r"[dD]")
_YEAR_OR_MONTH = re.compile(r"[yY]|m{3,}")
_LITERAL = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')


class ExactCells(SheetCells):
    """Reads a sheet with exact numbers (see ``exact_number``)."""

    def _number(self, value: str, style: CellStyle) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        return exact_number(
            number, PLAIN.number_format if style is PLAIN else style.number_format, self.book.epoch_1904
        )


def exact_number(value: float, code: str, epoch_1904: bool = False) -> str:
    """Returns a number as a staged cell: exact, with the sign or unit of its format ``code``; dates are ISO dates. A
    number that its format fills with leading zeros is a code, and a text.

    >>> exact_number(0.125, "0%"), exact_number(7, "0000"), exact_number(1.256, '0.0 "kg"')
    ('\\x0112.5%', '0007', '\\x011.256 kg')
    """
    if is_date_format(code):
        return _moment(value, code, epoch_1904)
    if code in ("General", "@", ""):
        return NATIVE + _plain(value)
    return exact_as_shown(value, shown_number(value, code, epoch_1904))


def exact_as_shown(value: float, text: str) -> str:
    """Returns a number as a staged cell, with the sign or unit that its displayed ``text`` has.

    >>> exact_as_shown(1234.56, "€ 1,235")
    '\\x01€ 1234.56'
    """
    plain = _plain(value)
    shown = _SHOWN.fullmatch(text.replace("(", "").replace(")", ""))
    if shown is None:
        return NATIVE + plain
    before, digits, after = shown["before"].strip(" -"), shown["digits"], shown["after"].strip(" -")
    if len(digits) > 1 and digits[0] == "0" and digits.isdigit() and value == int(value):
        return f"{before}{digits}{after}"
    if "%" in (before, after):
        return f"{NATIVE}{_plain(round(value * 100, 12))}%"
    if not _is_near(abs(value), digits):
        return NATIVE + plain
    return NATIVE + " ".join(filter(None, (before, plain, after)))


def _moment(value: float, code: str, epoch_1904: bool) -> str:
    bare = _LITERAL.sub("", code)
    if not _DAY.search(bare) and not _YEAR_OR_MONTH.search(bare):
        return shown_number(value, code, epoch_1904)
    moment = date_of(value, epoch_1904)
    if moment is None:
        return NATIVE + _plain(value)
    is_day = moment.hour == moment.minute == moment.second == 0
    return moment.date().isoformat() if is_day else moment.isoformat(" ", "seconds")


def _plain(value: float) -> str:
    """The shortest digits of a number, without the noise of calculations in a spreadsheet."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(float(f"{value:.15g}"))


def _is_near(value: float, digits: str) -> bool:
    """Whether the digits show the number itself and not thousands of it."""
    shown = float(digits.replace(",", ""))
    decimals = len(digits.partition(".")[2])
    return abs(shown - value) <= 10.0**-decimals


@dataclass
class VisibleRows:
    """The visible rows of a sheet with their numbers; the texts of merged cells are repeated."""

    merged: dict[Place, Place]
    hidden_columns: list[tuple[int, int]]
    _held: dict[Place, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._held = dict.fromkeys(self.merged.values(), "")
        self._widths: dict[int, int] = {}
        for row, column in self.merged:
            self._widths[row] = max(self._widths.get(row, 0), column)

    def of(self, rows: Iterator[SheetRow]) -> Iterator[tuple[int, list[str]]]:
        """Yields (number of the row, its cells without those of hidden columns)."""
        for number, cells, hidden in rows:
            if self.merged:
                self._fill(cells, number)
            if not hidden:
                yield number, self._shown(cells)

    def _shown(self, cells: list[str]) -> list[str]:
        if not self.hidden_columns:
            return cells
        return [
            text
            for column, text in enumerate(cells, start=1)
            if not any(first <= column <= last for first, last in self.hidden_columns)
        ]

    def _fill(self, cells: list[str], number: int) -> None:
        cells += [""] * (self._widths.get(number, 0) - len(cells))
        for column, text in enumerate(cells, start=1):
            if (number, column) in self._held:
                self._held[number, column] = text
            elif not text and (number, column) in self.merged:
                value = self._held[self.merged[number, column]]
                # Numbers are not repeated, because they would be counted twice.
                cells[column - 1] = "" if value.startswith(NATIVE) else value
