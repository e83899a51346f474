"""Indexes the cells of a document by what they report, to compare them with those of another document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from core.figures.panel.derivation import step_of, unscaled
from core.figures.panel.spans import WEEK, days_of, end_of, has_span
from core.figures.stored.records import StoredFigure
from core.language.fields import figures
from core.language.normalisation import fold
from core.language.note_marks import without_note_marks

_FLOWS = ("income statement", "cash flow statement")
_ROUNDING = 1.01
_SCALES = (1e3, 1e6, 1e9)
_NEAR = 0.005

Meaning = tuple[str, str, str, str]
"""What a cell reports: the row's label, the label above it, the part of the organisation, and the unit."""


@dataclass(frozen=True)
class IndexedCell:
    """A cell: ``number`` is its place among the figures of its document, ``value`` is in full, ``step`` the smallest
    difference that its digits show. ``table`` is the number of its table; ``is_known``: its label names a measure of
    the vocabulary."""

    number: int
    table: int
    value: float
    step: float
    end: date
    days: int
    currency: str
    is_known: bool

    def is_at_period_of(self, other: IndexedCell) -> bool:
        """Returns whether both periods end on the same day and are as long, a week apart at most."""
        return abs((self.end - other.end).days) <= WEEK and abs(self.days - other.days) <= WEEK

    def differs_from(self, other: IndexedCell) -> bool:
        """Returns whether the values differ by more than rounding, a sign or a missing scale."""
        step = max(self.step, other.step) * _ROUNDING
        if abs(self.value - other.value) <= step or abs(abs(self.value) - abs(other.value)) <= step:
            return False
        low, high = sorted((abs(self.value), abs(other.value)))
        return not low or all(abs(high / low / scale - 1) > _NEAR for scale in _SCALES)


CellIndex = Mapping[Meaning, Sequence[IndexedCell]]


def index_of(cells: Iterable[StoredFigure]) -> CellIndex:
    """Returns the cells with a label and a period by what they report. A row that reports a measure over time needs
    the length of its period."""
    found: defaultdict[Meaning, list[IndexedCell]] = defaultdict(list)
    for number, cell in enumerate(cells):
        label = fold(without_note_marks(cell.label)).strip()
        if not label or cell.table is None or not has_span(cell):
            continue
        known = figures().get(cell.measure)
        if known is not None and known.statement in _FLOWS and not known.is_stock and not days_of(cell):
            continue
        above = fold(cell.parents[-1]) if cell.parents else ""
        indexed = IndexedCell(
            number, cell.table, unscaled(cell), step_of(cell), end_of(cell), days_of(cell), cell.currency,
            known is not None,
        )  # fmt: skip
        found[label, above, fold(cell.segment), cell.unit].append(indexed)
    return found
