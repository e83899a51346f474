"""Derives quarters from year-to-date figures: nine months less six months is the third quarter.

Both cells must report the same row in the same scope, and both periods must begin on the same day. Balances, amounts
per share and rates are not sums over time. A row whose printed quarters contradict the differences is not one either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from core.figures.panel.derivation import step_of, unscaled
from core.figures.panel.rows import ReportedRow
from core.figures.panel.spans import QUARTER, WEEK, days_of, end_of, is_quarter
from core.figures.stored.records import StoredFigure
from core.language.fields import figures
from core.language.vocabulary import pattern_of

_PER_SHARE = pattern_of("answering/tables.cell_values.per_share")
_SPARE = timedelta(2 * WEEK)
"""Difference allowed between the first days of two periods: lengths are known in months, years have 52 or 53 weeks."""


@dataclass(frozen=True)
class Remainder:
    """The last quarter of the period of ``longer``, without the period of ``shorter``."""

    row: ReportedRow
    longer: StoredFigure
    shorter: StoredFigure

    @property
    def end(self) -> date:
        return end_of(self.longer)

    @property
    def days(self) -> int:
        return (end_of(self.longer) - end_of(self.shorter)).days

    @property
    def value(self) -> float:
        return unscaled(self.longer) - unscaled(self.shorter)


def remainders_of(rows: Sequence[ReportedRow]) -> list[Remainder]:
    """Returns the quarters that follow from the rows, each last day once, those from the reports' own periods first."""
    found: list[Remainder] = []
    for group in _groups(rows):
        cells = [(row, cell) for row in group for cell in row.comparable() if days_of(cell) and _is_sum(cell)]
        pairs = [
            Remainder(row, longer, shorter)
            for row, longer in cells
            for _, shorter in cells
            if _is_last_quarter(longer, shorter)
        ]
        own = {id(row.own) for row in group}
        pairs.sort(key=lambda each: -((id(each.longer) in own) + (id(each.shorter) in own)))
        if not _is_contradicted(pairs, [cell for _, cell in cells if is_quarter(cell)]):
            found += pairs
    return list({each.end: each for each in found[::-1]}.values())[::-1]


def _groups(rows: Sequence[ReportedRow]) -> Iterable[list[ReportedRow]]:
    """Splits the rows into groups that report the same thing."""
    groups: list[list[ReportedRow]] = []
    for row in rows:
        same = next((group for group in groups if group[0].agrees_with(row)), None)
        if same is None:
            groups.append([row])
        else:
            same.append(row)
    return groups


def _is_sum(cell: StoredFigure) -> bool:
    """Returns whether the values of two periods add up: an amount of money that is no balance and not per share."""
    known = figures().get(cell.measure)
    if not cell.currency or cell.unit or _PER_SHARE.search(" ".join((*cell.parents, cell.label))):
        return False
    return known is None or (not known.is_stock and not known.unit)


def _is_last_quarter(longer: StoredFigure, shorter: StoredFigure) -> bool:
    if is_quarter(longer) or (end_of(longer) - end_of(shorter)).days not in QUARTER:
        return False
    return abs(_start(longer) - _start(shorter)) <= _SPARE and longer.value != shorter.value


def _start(cell: StoredFigure) -> date:
    return end_of(cell) - timedelta(days_of(cell))


def _is_contradicted(pairs: Sequence[Remainder], printed: Sequence[StoredFigure]) -> bool:
    return any(
        abs((pair.end - end_of(cell)).days) <= WEEK and abs(pair.value - unscaled(cell)) > 2 * step_of(pair.longer)
        for pair in pairs
        for cell in printed
    )
