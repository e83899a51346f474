"""Builds a panel from the stored figures: *measure, documents by organisation* → points with their cells."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from core.figures.panel.derivation import Computed, compute, operands, unscaled
from core.figures.panel.period_names import is_asked, name_of
from core.figures.panel.points import computed_point, printed_point, remainder_point
from core.figures.panel.records import Panel, PanelPoint, PanelQuestion, PanelReport, PanelSeries
from core.figures.panel.remainders import Remainder
from core.figures.panel.rows import ReportedRow, rows_of
from core.figures.panel.spans import WEEK, days_of, end_of, ends_with, is_as_long, is_year_before
from core.figures.panel.timeline import printed_cells, restated, timeline
from core.figures.stored.records import FigureLookup, StoredFigure
from core.language.fields import figures
from core.question.measures.formulas import Formula, formulas_of

_SURE = 0.9
"""Minimum score of a printed percentage that is used instead of a computed one."""


async def build_panel(
    lookup: FigureLookup, user_id: str, question: PanelQuestion, reports: Mapping[str, Sequence[PanelReport]]
) -> Panel:
    """Builds a panel.

    Args:
        reports: the documents of each organisation, newest first.

    >>> question = PanelQuestion(kind="comparison", measure="revenue")
    >>> reports = {"Acme": [PanelReport(document_id="doc_1", title="Annual report", organisation="Acme")]}
    >>> run(build_panel(workbench.figures, "ada", question, reports)).missing
    ['Acme']
    """
    building = _Building(lookup, user_id, question)
    series = await asyncio.gather(*(building.series(name, own) for name, own in reports.items()))
    return Panel(question=question, series=tuple(series))


class _Building:
    def __init__(self, lookup: FigureLookup, user_id: str, question: PanelQuestion) -> None:
        self._lookup, self._user_id, self._question = lookup, user_id, question

    async def series(self, organisation: str, reports: Sequence[PanelReport]) -> PanelSeries:
        rows: list[ReportedRow] = []
        if self._question.kind == "growth":
            points = await self._growth(organisation, reports)
        elif self._question.unit == "%" and self._question.key and formulas_of(self._question.key):
            points = await self._derived(organisation, reports)
        else:
            rows = await self._rows(reports, percent=False)
            points = self._points(organisation, rows)
        found = {cell.document_id for point in points for cell in point.cells}
        without = tuple(each.title for each in reports if each.document_id not in found and not each.completes)
        wanted = points if self._question.kind == "growth" else self._wanted(points)
        ends = {point.end for point in wanted}
        differing = tuple(pair for pair in restated(rows) if end_of(pair[0]) in ends)
        return PanelSeries(organisation=organisation, points=tuple(wanted), without=without, restated=differing)

    async def _rows(self, reports: Sequence[PanelReport], *, percent: bool) -> list[ReportedRow]:
        measure, months = self._question.looked_up, self._question.months
        return await rows_of(self._lookup, self._user_id, measure, reports, percent=percent, months=months)

    def _points(self, organisation: str, rows: Sequence[ReportedRow]) -> list[PanelPoint]:
        made = []
        for each in timeline(rows):
            if isinstance(each, Remainder):
                point = remainder_point(organisation, each)
            else:
                point = printed_point(organisation, each.cell, name_of(each.row, each.cell))
            if is_asked(point.period, self._question.periods):
                made.append(point)
        return made

    async def _derived(self, organisation: str, reports: Sequence[PanelReport]) -> list[PanelPoint]:
        """Returns printed percentages if each document prints them, and otherwise computes the formula."""
        main = [each for each in reports if not each.completes]
        printed = await self._rows(main, percent=True)
        if len(printed) == len(main) and all(row.score >= _SURE for row in printed):
            return self._points(organisation, printed)
        for formula in formulas_of(self._question.key):
            if points := await self._computed(organisation, main, formula):
                return points
        return []

    async def _computed(self, organisation: str, reports: Sequence[PanelReport], formula: Formula) -> list[PanelPoint]:
        terms = operands(formula)
        qualifiers = _without_name(self._question.looked_up, self._question.key)
        found = await asyncio.gather(
            *(
                rows_of(
                    self._lookup, self._user_id, f"{qualifiers} {term.figure.names[0]}".strip(), reports, percent=False
                )
                for term in terms.values()
            )
        )
        by_report: dict[str, dict[str, ReportedRow]] = {}
        for name, rows in zip(terms, found, strict=True):
            for row in rows:
                by_report.setdefault(row.report.document_id, {})[name] = row
        leads = [next(iter(rows.values())) for rows in by_report.values()]
        points = []
        for lead in printed_cells(leads):
            period = name_of(lead.row, lead.cell)
            own = by_report[lead.row.report.document_id]
            cells = {name: match for name, row in own.items() if (match := _at(row, lead.cell)) is not None}
            made = compute(formula, cells) if is_asked(period, self._question.periods) else None
            if made is not None:
                points.append(computed_point(organisation, lead.cell, period, made))
        return points

    async def _growth(self, organisation: str, reports: Sequence[PanelReport]) -> list[PanelPoint]:
        """Returns the growth over the same period a year before, in time order: for each length of period that the
        documents print (a year, a quarter, nine months) that of the newest document."""
        rows = await self._rows(reports, percent=False)
        found: list[PanelPoint] = []
        for row in sorted(rows, key=lambda row: end_of(row.own), reverse=True):
            for cell in row.newest():
                name, before = name_of(row, cell), row.year_before(cell) or _reported_year_before(cell, rows)
                known = any(abs(days_of(cell) - point.days) <= WEEK for point in found)
                if known or before is None or unscaled(before) <= 0 or not is_asked(name, self._question.periods):
                    continue
                change = unscaled(cell) / unscaled(before) - 1
                made = Computed(change, f"{cell.text} ÷ {before.text} − 1", (cell, before))
                found.append(computed_point(organisation, cell, name, made))
        return sorted(found, key=lambda point: (point.end, point.days))

    def _wanted(self, points: Sequence[PanelPoint]) -> list[PanelPoint]:
        """Returns the points in time order: one per last day, only of periods as long as most are, and only as many as
        the question wants."""
        if not points:
            return []
        lengths = [point.days for point in points]
        usual = max(set(lengths), key=lambda days: (sum(abs(days - each) <= WEEK for each in lengths), -days))
        alike = [point for point in points if abs(point.days - usual) <= WEEK]
        kept = alike if 2 * len(alike) > len(points) else list(points)
        ordered = sorted({point.end: point for point in kept[::-1]}.items())
        return [point for _, point in ordered][-self._count(len(ordered)) :]

    def _count(self, found: int) -> int:
        """Returns how many of the newest points are wanted: one of each organisation if one of them is asked for."""
        return self._question.count or (1 if self._question.ranks else found)


def _at(row: ReportedRow, lead: StoredFigure) -> StoredFigure | None:
    """Returns the row's cell at the period of ``lead``; a balance fits a period that ends on its day."""
    near = [cell for cell in row.comparable() if ends_with(cell, lead)]
    same = [cell for cell in near if is_as_long(cell, lead)]
    return next(iter([*same, *(cell for cell in near if not days_of(cell))]), None)


def _reported_year_before(cell: StoredFigure, rows: Sequence[ReportedRow]) -> StoredFigure | None:
    return next((each.own for each in rows if is_year_before(each.own, cell)), None)


def _without_name(measure: str, key: str) -> str:
    """Returns the words of a measure that restrict it: "AWS" in "AWS operating margin"."""
    folded = measure.casefold()
    for name in sorted(figures()[key].names, key=len, reverse=True):
        if name.casefold() in folded:
            start = folded.index(name.casefold())
            return f"{measure[:start]} {measure[start + len(name) :]}".strip()
    return ""
