"""Orders the cells of one measure in time: *rows of an organisation's documents* → a cell for each period.

Each document gives its own period. Its other columns fill the periods that no document has as its own, if the row
reports the same thing as a row of another document.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from core.figures.panel.derivation import step_of, unscaled
from core.figures.panel.remainders import Remainder, remainders_of
from core.figures.panel.rows import ReportedRow
from core.figures.panel.spans import WEEK, end_of, ends_with, is_as_long, is_quarter
from core.figures.stored.records import StoredFigure

_ROUNDING = 1.01
FEW = 2
"""With at most this many documents, the columns of a row are used even if no other document has the same row."""


@dataclass(frozen=True)
class PrintedCell:
    """A cell with its row."""

    row: ReportedRow
    cell: StoredFigure

    @property
    def end(self) -> date:
        return end_of(self.cell)


def printed_cells(rows: Sequence[ReportedRow]) -> list[PrintedCell]:
    """Returns a cell for each last day: from the document whose own period it is, otherwise from an earlier column."""
    own = sorted((PrintedCell(row, row.own) for row in rows), key=lambda each: -each.row.score)
    trusted = [row for row in rows if len(rows) <= FEW or _is_confirmed(row, rows)]
    return _each_day_once([*own, *(PrintedCell(row, cell) for row in trusted for cell in row.alike())])


def timeline(rows: Sequence[ReportedRow]) -> list[PrintedCell | Remainder]:
    """Returns the printed cells with the quarters that follow from year-to-date figures.

    If the reports print different lengths (three, six and nine months), returns quarters instead, provided that each
    report's own period ends with one.
    """
    main = [row for row in rows if not row.report.completes]
    printed = printed_cells(main)
    if not printed:
        return []
    derived = remainders_of(rows)
    if all(is_quarter(row.own) for row in main):
        return _completed(printed, derived)
    if all(is_as_long(row.own, main[0].own) for row in main) or not derived:
        return [*printed]
    direct = [PrintedCell(row, cell) for row in main for cell in row.comparable() if is_quarter(cell)]
    parts = _completed(_each_day_once(direct), derived)
    ends = [each.end for each in parts]
    return parts if all(_is_near(end_of(row.own), ends) for row in main) else [*printed]


def _completed(printed: Sequence[PrintedCell], derived: Sequence[Remainder]) -> list[PrintedCell | Remainder]:
    """Returns the printed cells and the derived quarters that are not printed."""
    return [*printed, *(each for each in derived if not _is_near(each.end, (one.end for one in printed)))]


def restated(rows: Sequence[ReportedRow]) -> list[tuple[StoredFigure, StoredFigure]]:
    """Returns pairs of cells of two documents that report the same thing at the same period with different values."""
    found: list[tuple[StoredFigure, StoredFigure]] = []
    for place, row in enumerate(rows):
        for other in rows[place + 1 :]:
            if row.agrees_with(other):
                found += [
                    (one, two)
                    for one in other.alike()
                    for two in row.alike()
                    if ends_with(one, two) and is_as_long(one, two) and _differ(one, two)
                ]
    return list({end_of(one): (one, two) for one, two in found}.values())


def _is_confirmed(row: ReportedRow, rows: Sequence[ReportedRow]) -> bool:
    return any(other is not row and row.agrees_with(other) for other in rows)


def _each_day_once(cells: Sequence[PrintedCell]) -> list[PrintedCell]:
    """Returns the first cell for each last day; fiscal years end a few days apart."""
    kept: list[PrintedCell] = []
    for each in cells:
        if not _is_near(each.end, (other.end for other in kept)):
            kept.append(each)
    return kept


def _is_near(day: date, others: Iterable[date]) -> bool:
    return any(abs((day - other).days) <= WEEK for other in others)


def _differ(one: StoredFigure, two: StoredFigure) -> bool:
    """Returns whether two values differ by more than the rounding of the less exact one."""
    return abs(unscaled(one) - unscaled(two)) > max(step_of(one), step_of(two)) * _ROUNDING
