"""Indexes a table for lookups: its rows and columns by their words, and each cell's period."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import log
from threading import Lock

from core.figures.quarters import OwnQuarter
from core.figures.records import TableEvidence
from core.figures.tables.currencies import column_currencies
from core.language.cache_sizes import WORDS
from core.language.entities.calendar_words import MONTH, ORDINAL, SPLIT_YEAR, YEAR, is_year
from core.language.note_marks import without_note_marks
from core.language.total_labels import is_called_total
from core.language.vocabulary import phrase_of
from core.library.tables.periods import period_of
from core.library.tables.records import Cell, Row, Table
from core.library.tables.total_rows import is_sum
from core.lru_cache import LruCache
from core.question.stems import stems

_RANGE = re.compile(rf"\b({YEAR})\s?[-–/]\s?({YEAR}|\d\d)\b")
_DAY = 10
_GRIDS = 500
"""Number of tables whose index is cached: about twenty megabytes."""


@dataclass(frozen=True)
class Line:
    """A row or a column: ``own`` are the stems of its label, ``above`` those of the headings above it; ``period`` is a
    period's key.

    ``section`` are the stems of the last heading before a row, even if the row may not belong to it; ``is_total`` marks
    a row that adds up others; ``span`` is a range of years in a heading ("2021-2022").
    """

    index: int
    label: str
    own: tuple[str, ...]
    above: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    period: str | None = None
    section: tuple[str, ...] = ()
    span: str = ""
    is_total: bool = False
    has_figures: bool = True


Place = tuple[int, int]
"""The position of a cell: its row and column, counted from 0."""


@dataclass(frozen=True)
class Series:
    """One thing that a table reports, with its cells by period; the key is ``None`` if no period is stated."""

    row: Line
    head: Line
    cells: dict[str | None, Place]

    @property
    def periods(self) -> list[str]:
        """The periods, newest first."""
        return sorted((key for key in self.cells if key), reverse=True)


@dataclass(frozen=True)
class TableGrid:
    """An indexed table; ``context`` are stems of caption, headings and title: the whole table's subject."""

    evidence: TableEvidence
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    context: frozenset[str] = frozenset()
    heads: dict[int, dict[int, Line]] = field(default_factory=dict)

    def cell(self, row: int, column: int) -> Cell:
        cells = self.evidence.table.rows[row].cells
        return cells[column] if column < len(cells) else Cell()

    def column(self, row: int, column: int) -> Line:
        """Returns the column with the heading that applies at ``row``, since a table may get new headings further
        down."""
        return self.heads.get(row, {}).get(column, self.columns[column])

    def period(self, row: int, column: int) -> str | None:
        """Returns a cell's period: from its row if that names one, otherwise from its column."""
        return self.rows[row].period or self.column(row, column).period

    @cached_property
    def weights(self) -> dict[str, float]:
        """How well each stem distinguishes rows and columns: the fewer contain it, the higher the weight."""
        counts = Counter(stem for line in (*self.rows, *self.columns) for stem in {*line.own, *line.above})
        many = len(self.rows) + len(self.columns)
        return {stem: 0.35 + log(1 + many / count) / log(1 + many) for stem, count in counts.items()}

    @cached_property
    def periods(self) -> tuple[str, ...]:
        """The periods of its columns or, if these have none, of its rows; newest first."""
        return tuple(sorted({line.period for line in (*self.columns, *self.rows) if line.period}, reverse=True))

    @cached_property
    def series(self) -> tuple[Series, ...]:
        """All figures and texts of the table; cells that have the same name but different periods are in one series."""
        open_ones: dict[tuple[object, ...], list[dict[str | None, Place]]] = {}
        made: list[tuple[Line, Line, dict[str | None, Place]]] = []
        for row, column in self._filled_places():
            line, head, period = self.rows[row], self.column(row, column), self.period(row, column)
            same = open_ones.setdefault((line.own, line.above, line.is_total, head.own, head.span), [])
            free = next((cells for cells in same if period is not None and period not in cells), None)
            if free is None:
                free = {}
                same.append(free)
                made.append((line, head, free))
            free[period] = (row, column)
        return tuple(Series(line, head, cells) for line, head, cells in made)

    @cached_property
    def of_row(self) -> dict[int, list[Series]]:
        found: dict[int, list[Series]] = {}
        for series in self.series:
            found.setdefault(series.row.index, []).append(series)
        return found

    @cached_property
    def currencies(self) -> tuple[str | None, ...]:
        """The currency of each column."""
        return column_currencies(self.evidence.table)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of its labels and of the text above it."""
        return frozenset(self.weights) | self.context

    def _filled_places(self) -> Iterator[Place]:
        places = product(range(len(self.rows)), range(len(self.columns)))
        return (place for place in places if self.cell(*place).text)


_kept: LruCache[tuple[str, int, tuple[str, ...], OwnQuarter | None], TableGrid] = LruCache(_GRIDS)
_keeping = Lock()
_FROM_THE_CELLS = ("weights", "periods", "series", "of_row", "words")


def table_grid(evidence: TableEvidence) -> TableGrid:
    """Indexes a document's table once, and again only when its rows or headings change."""
    key = (evidence.origin.document_id, evidence.index, evidence.path, evidence.origin.quarter)
    with _keeping:
        kept = _kept.use(key)
    if kept is None or not _has_the_same_cells(kept.evidence.table, evidence.table):
        kept = _with_own_quarters(_indexed(evidence))
        with _keeping:
            _kept[key] = kept
        return kept
    grid = replace(kept, evidence=evidence)
    vars(grid).update({name: getattr(kept, name) for name in _FROM_THE_CELLS})
    return grid


def _has_the_same_cells(known: Table, table: Table) -> bool:
    """Returns whether the tables differ at most in their unit; compares only identities of lists, which are shared by
    all copies of a table."""
    same = known.rows is table.rows and known.columns is table.columns
    return same and (known.caption, known.stub) == (table.caption, table.stub)


def _indexed(evidence: TableEvidence) -> TableGrid:
    table = evidence.table
    columns = tuple(_column(index, column.header, column.period) for index, column in enumerate(table.columns))
    timed = any(column.period for column in columns)
    rows: list[Line] = []
    section: tuple[str, ...] = ()
    heads: dict[int, dict[int, Line]] = {}
    heading: dict[int, Line] = {}
    for index, row in enumerate(table.rows):
        label = row.label.strip()
        figures = any(cell.value is not None for cell in row.cells)
        texts = {place: cell.text for place, cell in enumerate(row.cells) if cell.text}
        if _heads_anew(row.parents, label, texts, figures, len(columns)):
            heading = {
                place: _column(place, [*([heading[place].label] if place in heading and not label else []), text])
                for place, text in texts.items()
            }
        heads[index] = heading
        line = _grid_line(index, label, row.parents, row.period, figures, timed, section)
        section = line.section
        rows.append(line)
    rows = _with_sum(rows, table.rows)
    context = stems(" ".join(filter(None, (table.caption, table.stub, *evidence.path))))
    if not timed:
        rows = _rolled_forward(rows)
    return TableGrid(
        evidence, tuple(rows), columns, frozenset(context), {row: each for row, each in heads.items() if each}
    )


def _with_own_quarters(grid: TableGrid) -> TableGrid:
    """Returns the grid with its quarters under the names of its document, if the table prints their last days: the
    three months to December are the first quarter of a year that ends in September."""
    own = grid.evidence.origin.quarter
    if own is None or not own.is_printed_by_day(grid.periods):
        return grid

    def named(line: Line) -> Line:
        return replace(line, period=own.called(line.period)) if line.period else line

    heads = {row: {column: named(line) for column, line in found.items()} for row, found in grid.heads.items()}
    return replace(grid, rows=tuple(map(named, grid.rows)), columns=tuple(map(named, grid.columns)), heads=heads)


def _with_sum(rows: list[Line], records: Sequence[Row]) -> list[Line]:
    """Marks the last row as a total if its figures add up those above, whatever its label."""
    filled = [place for place, row in enumerate(rows) if row.has_figures]
    if not filled or rows[filled[-1]].is_total or any(rows[place].is_total or rows[place].period for place in filled):
        return rows
    last, parts = filled[-1], filled[:-1]
    if not is_sum(records[last].cells, [records[place].cells for place in parts]):
        return rows
    return [replace(row, is_total=True) if place == last else row for place, row in enumerate(rows)]


def _rolled_forward(rows: list[Line]) -> list[Line]:
    """Assigns rows between two balances to the year that ends with the second balance: "Granted" is before "at December
    31, 2019"."""
    dated = [place for place, row in enumerate(rows) if row.period and len(row.period) == _DAY and row.own]
    found = list(rows)
    for first, last in pairwise(dated):
        for place in range(first + 1, last):
            if rows[place].period is None:
                found[place] = replace(rows[place], period=(rows[last].period or "")[:4])
    return found


def _column(index: int, header: list[str], period: str | None = None) -> Line:
    label = " ".join(header)
    span = _RANGE.search(label)
    if split := SPLIT_YEAR.search(label):
        period = str(int(split["first"]) + 1)
    words = untimed(label) if period_of(label) or span else label
    return Line(
        index, label, stems(words), period=None if span and not split else period or period_of(label),
        span=f"{span[1]}-{span[2]}" if span and not split else "", is_total=is_called_total(label),
    )  # fmt: skip


def _grid_line(
    index: int, label: str, parents: list[str], period: str | None, figures: bool, timed: bool,
    section: tuple[str, ...],
) -> Line:  # fmt: skip
    """Builds a row; ``timed``: the columns have periods, so a row label names a period only if it contains nothing
    else. ``section`` are the stems of the last heading before the row."""
    path = [*parents, label]
    times = [each for each in reversed(path) if period_of(each) and not (timed and stems(untimed(each)))]
    own = (period if not timed else None) or next(filter(None, map(period_of, times)), None)
    if own and is_year(own) and len(path) > 1 and not timed:
        own = period_of(" ".join(path)) or own
    words = stems(untimed(label) if label in times else label) if label or not figures else ("total",)
    above = stems(" ".join(untimed(parent) if parent in times else parent for parent in parents))
    return Line(
        index, label, words, above, tuple(parents), own,
        section=words if not figures and label else section,
        is_total=is_called_total(label) or (not label and figures), has_figures=figures,
    )  # fmt: skip


_TIMES = re.compile(
    r"\b(?:as )?(?:re-?stated|adjusted|revised|reported|(?:un)?audited)\d?\b|[$€£₪]\s?['’‘]?(?:000s?|m|mn|bn|k)\b|"
    rf"\b(?:{ORDINAL})(?= (?:fiscal )?quarter)|"
    r"\b(?:fiscal|years?|quarters?|months?|weeks?|periods?|ended|ending|as of|as at|at|for the|and|for|the|FY|CY|"
    rf"Q[1-4]|H[12]|three|six|nine|twelve|{MONTH})\b\.?|"
    r"(?<![\d.,])\d{1,4}(?![\d.])|\b2 0 \d \d\b"
    rf"|{phrase_of('answering/tables.grid.period')}",
    re.IGNORECASE,
)


@lru_cache(maxsize=WORDS)
def untimed(text: str) -> str:
    """Returns a heading without its period."""
    return _TIMES.sub(" ", without_note_marks(text))


def _heads_anew(parents: list[str], label: str, texts: dict[int, str], figures: bool, columns: int) -> bool:
    """Returns whether a row is a new column heading: text in most columns and no figure."""
    return (
        not figures and len(texts) >= max(2, columns // 2) and not any(parents and len(t) > 40 for t in texts.values())
    )
