"""Chooses, in each document, the row that reports a measure, and its cells of comparable periods."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.figures.panel.comparable import of_one_scope, scope_of
from core.figures.panel.records import PanelReport
from core.figures.panel.spans import days_of, end_of, ends_with, has_span, is_as_long, is_year, is_year_before, lasts
from core.figures.stored.records import FigureLookup, FigureMatch, FigureQuery, StoredFigure
from core.language.fields import figures
from core.language.normalisation import fold
from core.language.note_marks import without_note_marks

LEAST = 0.6
"""Minimum score of a row that reports the measure."""
_CLOSE = 0.1
"""Rows within this distance of the best score are equally likely; the label that most documents use decides."""
_MOST_CELLS = 80
_FLOWS = ("income statement", "cash flow statement")
"""The statements whose figures cover a time."""

RowPlace = tuple[int | None, int | None]


@dataclass(frozen=True)
class ReportedRow:
    """The row of a document that reports a measure; ``own`` is its cell of the document's own period; ``cells`` are all
    its cells, also those whose heading fits the measure less."""

    report: PanelReport
    score: float
    own: StoredFigure
    cells: tuple[StoredFigure, ...]

    @property
    def label(self) -> str:
        """The row's label without case and note marks."""
        return _label(self.own)

    def comparable(self) -> list[StoredFigure]:
        """The cells of all periods that report the same thing as the own one."""
        return of_one_scope(self.own, self.cells)

    def alike(self) -> list[StoredFigure]:
        """The comparable cells whose periods are as long as the own one, newest first, each period once."""
        found = {end_of(cell): cell for cell in self.comparable()[::-1] if is_as_long(cell, self.own)}
        return sorted(found.values(), key=end_of, reverse=True)

    def agrees_with(self, other: ReportedRow) -> bool:
        """Returns whether the row of another document has the same label, parents, unit and scope."""
        parents, others = self.own.parents[-1:], other.own.parents[-1:]
        return (
            self.label == other.label
            and (not parents or not others or fold(parents[0]) == fold(others[0]))
            and scope_of(self.comparable()) == scope_of(other.comparable())
        )

    def newest(self) -> list[StoredFigure]:
        """The own cell, and the comparable cells of other lengths that end with it."""
        return [self.own, *(cell for cell in self.comparable() if cell != self.own and ends_with(cell, self.own))]

    def year_before(self, newest: StoredFigure) -> StoredFigure | None:
        """Returns the cell of the same length that ends a year before ``newest``."""
        return next((cell for cell in self.comparable() if is_year_before(cell, newest)), None)


async def rows_of(
    lookup: FigureLookup,
    user_id: str,
    measure: str,
    reports: Sequence[PanelReport],
    *,
    percent: bool | None = None,
    months: int | None = None,
) -> list[ReportedRow]:
    """Returns one row for each document that reports the measure, in the order of ``reports``.

    Args:
        percent: whether the row must (or must not) be printed in per cent; ``None`` allows both.
        months: the length of the own period that is wanted, where a document prints one of that length.
    """
    queries = [FigureQuery(measure=measure, document_ids=(each.document_id,), limit=_MOST_CELLS) for each in reports]
    found = await asyncio.gather(*(lookup.find(user_id, query) for query in queries))
    fitting = [
        [_with_length(match, report) for match in matches if _fits(match, percent)]
        for report, matches in zip(reports, found, strict=True)
    ]
    usual = _usual_labels([_reporting(matches) for matches in fitting])
    rows = (_row(report, matches, usual, months) for report, matches in zip(reports, fitting, strict=True))
    return [row for row in rows if row is not None]


def _fits(match: FigureMatch, percent: bool | None) -> bool:
    return has_span(match.figure) and (percent is None or (match.figure.unit == "%") == percent)


def _with_length(match: FigureMatch, report: PanelReport) -> FigureMatch:
    """Returns the match as a value of a year if an annual report prints only the last day above a figure of its income
    or cash flow statement."""
    figure = match.figure
    known = figures().get(figure.measure)
    if not report.is_annual or days_of(figure) or known is None or known.statement not in _FLOWS:
        return match
    return match.model_copy(update={"figure": figure.model_copy(update={"period": figure.period[:4]})})


def _reporting(matches: Sequence[FigureMatch]) -> list[FigureMatch]:
    return [match for match in matches if match.score >= LEAST]


def _label(figure: StoredFigure) -> str:
    return fold(without_note_marks(figure.label)).strip()


def _usual_labels(found: Sequence[Sequence[FigureMatch]]) -> Counter[str]:
    """Counts in how many documents a label is among the best rows."""
    counted: Counter[str] = Counter()
    for matches in found:
        best = max((match.score for match in matches), default=0.0)
        counted.update({_label(match.figure) for match in matches if match.score >= best - _CLOSE})
    return counted


def _row(
    report: PanelReport, matches: Sequence[FigureMatch], usual: Counter[str], months: int | None
) -> ReportedRow | None:
    reporting = _reporting(matches)
    best = max((match.score for match in reporting), default=0.0)
    near = _without_parts([match for match in reporting if match.score >= best - _CLOSE])
    if not near:
        return None
    near = _of_length(near, months) or near
    most = max(usual[_label(match.figure)] for match in near)
    chosen = next(match for match in near if usual[_label(match.figure)] == most)
    place = (chosen.figure.table, chosen.figure.row)
    own = [match.figure for match in reporting if (match.figure.table, match.figure.row) == place]
    cells = tuple(match.figure for match in matches if (match.figure.table, match.figure.row) == place)
    lasting = [cell for cell in own if months is not None and lasts(cell, months)]
    return ReportedRow(report, chosen.score, _own_cell(report, lasting or own), cells)


def _of_length(matches: Sequence[FigureMatch], months: int | None) -> list[FigureMatch]:
    """Returns the matches whose period has the wanted length; none if no length is wanted."""
    return [match for match in matches if months is not None and lasts(match.figure, months)]


def _without_parts(near: Sequence[FigureMatch]) -> list[FigureMatch]:
    """Returns the matches without rows that are only parts of the measure: "Cost of products" and "Cost of services" of
    one table, where another row reports at least their sum."""
    return [match for match in near if not any(_is_part_with(match, other, near) for other in near)]


def _is_part_with(match: FigureMatch, other: FigureMatch, near: Sequence[FigureMatch]) -> bool:
    one, two = match.figure, other.figure
    if (one.table, one.column) != (two.table, two.column) or one.row == two.row or one.unit != two.unit:
        return False
    least = abs(one.value * one.scale) + abs(two.value * two.scale)
    return any(
        abs(each.figure.value * each.figure.scale) >= least
        for each in near
        if each.figure.period == one.period and each.figure.unit == one.unit
    )


def _own_cell(report: PanelReport, cells: Sequence[StoredFigure]) -> StoredFigure:
    """Returns the cell of the document's own period: the newest one; of several that end on the same day, the year in
    an annual report and the shortest period in any other."""
    last = max(cells, key=end_of)
    newest = [cell for cell in cells if ends_with(cell, last)]
    if report.is_annual and (years := [cell for cell in newest if is_year(cell)]):
        return years[0]
    return min(newest, key=days_of)
