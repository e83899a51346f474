"""Selects a sheet's visible rows: leaves out and counts hidden rows and columns, repeats texts over merged cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.library.tables.cells import is_figure, is_year

LAST_COLUMN = 16_384
MOST_MERGED = 20_000
ERRORS = frozenset(
    ("#N/A", "#REF!", "#DIV/0!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!")
)
"""Error values, which a spreadsheet shows if it cannot compute a value."""
Place = tuple[int, int]
"""A cell's row and column, from 1."""


class SheetRow(NamedTuple):
    """A row in the file: its number from 1, its cells as displayed, and whether it is visible."""

    number: int
    cells: list[str]
    hidden: bool = False


@dataclass
class Rest:
    """The number of cells and characters that may still be read."""

    cells: int
    characters: int


@dataclass
class ShownRows:
    """The visible rows of a sheet, in order; any number of consecutive empty rows is reduced to at most two.

    ``given`` counts the filled rows so far, ``errors`` their cells with an error; ``left_out_rows`` and
    ``left_out_columns`` are hidden and not empty. ``beside`` has for each row in ``noted`` its cells and those of its
    heading row, by column; ``unseen`` are the hidden ones of these rows.
    """

    merged: Mapping[Place, Place] = field(default_factory=dict)
    with_hidden: bool = False
    noted: frozenset[int] = frozenset()
    left_out_rows: int = 0
    given: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    beside: dict[int, tuple[list[str], list[str]]] = field(default_factory=dict)
    unseen: set[int] = field(default_factory=set)
    _hidden_filled: set[int] = field(default_factory=set)

    @property
    def left_out_columns(self) -> int:
        return len(self._hidden_filled)

    def of(self, rows: Iterable[SheetRow], hidden_columns: Sequence[tuple[int, int]]) -> Iterator[list[str]]:
        """``hidden_columns`` may become known only with the first row."""
        self.left_out_rows, self.given, self._hidden_filled = 0, 0, set()
        self.beside, self.unseen, self.errors = {}, set(), Counter()
        held = dict.fromkeys(self.merged.values(), "")
        widths: dict[int, int] = {}
        for row, column in self.merged:
            widths[row] = max(widths.get(row, 0), column)
        last, waiting = 0, 0
        head: list[str] = []
        for number, cells, hidden in rows:
            waiting += number - last - 1
            last = number
            if cells and number in widths:
                cells += [""] * (widths[number] - len(cells))
            if self.merged:
                _fill_merged(cells, number, self.merged, held)
            if hidden and not self.with_hidden:
                self.left_out_rows += any(cells)
                self.unseen |= {number} & self.noted
                continue
            placed = cells
            if hidden_columns and not self.with_hidden:
                cells = self._shown(cells, hidden_columns)
            while cells and not cells[-1]:
                cells.pop()
            if not cells:
                waiting += 1
                continue
            yield from [[]] * min(waiting, 2)
            if self.noted:
                head = self._note(number, placed, [] if waiting else head)
            waiting = 0
            self._count(cells)
            yield cells

    def _count(self, cells: list[str]) -> None:
        self.given += 1
        if not ERRORS.isdisjoint(cells):
            self.errors.update(text for text in cells if text in ERRORS)

    def _note(self, number: int, cells: list[str], head: list[str]) -> list[str]:
        """Remember the heading row for the rows below: the first row with several texts after an empty row."""
        if number in self.noted:
            self.beside[number] = (list(cells), head)
        return head or (list(cells) if len(set(filter(None, cells))) > 1 else [])

    def _shown(self, cells: list[str], hidden: Sequence[tuple[int, int]]) -> list[str]:
        shown: list[str] = []
        for column, text in enumerate(cells, start=1):
            if any(first <= column <= last for first, last in hidden):
                if text:
                    self._hidden_filled.add(column)
            else:
                shown.append(text)
        return shown

    def within(
        self, rows: Iterable[SheetRow], hidden_columns: Sequence[tuple[int, int]], rest: Rest
    ) -> tuple[list[list[str]], bool]:
        """Returns (rows, whether these are all)."""
        shown: list[list[str]] = []
        for cells in self.of(_counted(rows, rest), hidden_columns):
            shown.append(cells)
            rest.characters -= sum(map(len, cells))
        return shown, rest.cells >= 0 and rest.characters >= 0


def _counted(rows: Iterable[SheetRow], rest: Rest) -> Iterator[SheetRow]:
    """Rows until the limit is reached; declared row numbers count too."""
    last = 0
    for row in rows:
        rest.cells -= max(1, len(row.cells)) + row.number - last - 1
        last = row.number
        if rest.cells < 0 or rest.characters < 0:
            return
        yield row


def covered(ranges: Iterable[tuple[int, int, int, int]]) -> dict[Place, Place]:
    """For each cell under a merged one, the cell that has its value; ranges are (top, left, bottom, right) from 1."""
    found: dict[Place, Place] = {}
    for top, left, bottom, right in ranges:
        size = (right - left + 1) * (bottom - top + 1)
        if not 1 < size <= MOST_MERGED or len(found) > 50 * MOST_MERGED:
            continue
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                if (row, column) != (top, left):
                    found[row, column] = (top, left)
    return found


def _fill_merged(row: list[str], number: int, merged: Mapping[Place, Place], held: dict[Place, str]) -> None:
    """Texts are repeated over their merged cells; numbers are not, because they would be counted twice."""
    for column, text in enumerate(row, start=1):
        if (number, column) in held:
            held[number, column] = text
        elif not text and (number, column) in merged:
            value = held[merged[number, column]]
            row[column - 1] = "" if is_figure(value) and not is_year(value) else value
