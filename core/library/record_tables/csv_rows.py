"""Reads the rows of a CSV file of any size one at a time; detects encoding and delimiter from its beginning."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from core.library.extract.csv import LONGEST_CELL_LINES, declared_delimiter, sniff_delimiter
from core.library.extract.cuts import Cuts
from core.library.extract.encodings import Encoding, encoding_of_file, known_encoding
from core.library.extract.pdf_layout.bidi import letters_are_reversed, logical_lines
from core.library.extract.text import VISUAL
from core.library.record_tables.sizes import line_count

_PIECE = 1 << 20
_LONGEST_LINE = 4_000_000
"""Maximum length of a line in characters."""
_LONGEST_ROW = 2 * _LONGEST_LINE
"""Maximum number of characters that an open quote may enclose."""


@dataclass(frozen=True)
class CsvDialect:
    """How to read a CSV file. ``lines`` is its number of lines, which is roughly its number of rows; ``is_reversed``:
    letters are stored in display order, as in old Hebrew files; ``is_sure``: the encoding is certain."""

    encoding: str
    delimiter: str
    lines: int
    is_reversed: bool = False
    declared: bool = False
    is_sure: bool = True


def dialect_of(path: Path, chosen: str = "") -> CsvDialect:
    """Scan the file as bytes, and its beginning as text; ``chosen`` is the encoding that a person set."""
    found = Encoding(known) if (known := known_encoding(chosen)) else encoding_of_file(path)
    encoding = found.name
    text = _beginning(path, encoding)
    declared, text = declared_delimiter(text)
    is_reversed = encoding in VISUAL and letters_are_reversed(text)
    return CsvDialect(
        encoding, declared or sniff_delimiter(text), line_count(path), is_reversed, declared is not None, found.is_sure
    )


def _beginning(path: Path, encoding: str) -> str:
    with path.open(encoding=encoding, errors="replace") as file:
        return file.read(_PIECE).replace("\x00", "")


def csv_rows(path: Path, dialect: CsvDialect, cuts: Cuts) -> Iterator[list[str]]:
    """All rows, including empty ones. A quote that is not closed within a number of lines is read as a plain
    character."""
    with path.open(encoding=dialect.encoding, errors="replace") as file:
        if dialect.declared:
            file.readline(_PIECE)
        lines = _Lines(file, dialect, cuts)
        while True:
            try:
                for cells in lines.parsed():
                    yield cuts.row(cells)
                return
            except (_UnclosedQuoteError, csv.Error):
                for cells in _plain(lines.row, dialect.delimiter):
                    yield cuts.row(cells)


def _plain(lines: list[str], delimiter: str) -> Iterator[list[str]]:
    """Rows of lines in which quotes have no special meaning."""
    for line in lines:
        yield [cell.strip() for cell in line.rstrip("\n").split(delimiter)]


class _UnclosedQuoteError(Exception):
    """A row spans more lines than any real one."""


class _Lines:
    """Feeds lines to the CSV parser; ``row`` holds the lines read since the last complete row."""

    def __init__(self, file: TextIO, dialect: CsvDialect, cuts: Cuts) -> None:
        self._file = file
        self._dialect = dialect
        self._cuts = cuts
        self._length = 0
        self.row: list[str] = []

    def parsed(self) -> Iterator[list[str]]:
        """Parse rows. Raises ``_UnclosedQuoteError`` or ``csv.Error`` if the quotes in ``row`` make no sense."""
        self._begin_row()
        reader = csv.reader(self, delimiter=self._dialect.delimiter, skipinitialspace=True)
        for cells in reader:
            self._begin_row()
            yield cells

    def _begin_row(self) -> None:
        self.row, self._length = [], 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        if len(self.row) > LONGEST_CELL_LINES or self._length > _LONGEST_ROW:
            raise _UnclosedQuoteError
        line = self._next_line()
        if not line:
            if self.row:
                raise _UnclosedQuoteError
            raise StopIteration
        self.row.append(line)
        self._length += len(line)
        return line

    def _next_line(self) -> str:
        """The next line; a line that is too long is cut."""
        line = self._file.readline(_LONGEST_LINE)
        if len(line) == _LONGEST_LINE and not line.endswith("\n"):
            self._cuts.rows += 1
            while (rest := self._file.readline(_LONGEST_LINE)) and not rest.endswith("\n"):
                pass
        line = line.replace("\x00", "") or (line and "\n")
        return logical_lines(line) if self._dialect.is_reversed else line
