"""Builds a panel from the stored figures: *measure, documents by organisation* → points with their cells."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date

from core.figures.panel.derivation import Computed, compute, operands, unscaled
from core.figures.panel.records import Panel, PanelPoint, PanelQuestion, PanelReport, PanelSeries
from core.figures.panel.rows import ReportedRow, rows_of
from core.figures.panel.spans import WEEK, days_of, end_of, ends_with, is_as_long, is_year_before
from core.figures.stored.records import FigureLookup, StoredFigure
from core.language.entities.periods import covers
from core.language.fields import figures
from core.question.measures.formulas import Formula, formulas_of

FEW = 2
"""With at most this many documents, all columns of a row are points; with more, each document gives its own period."""
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
        if self._question.kind == "growth":
            points = await self._growth(organisation, reports)
        elif self._question.unit == "%" and self._question.key and formulas_of(self._question.key):
            points = await self._derived(organisation, reports)
        else:
            points = await self._plain(organisation, reports)
        found = {cell.document_id for point in points for cell in point.cells}
        without = tuple(each.title for each in reports if each.document_id not in found)
        return PanelSeries(organisation=organisation, points=tuple(self._wanted(points)), without=without)

    async def _plain(
        self, organisation: str, reports: Sequence[PanelReport], *, percent: bool | None = False
    ) -> list[PanelPoint]:
        rows = await rows_of(self._lookup, self._user_id, self._question.looked_up, reports, percent=percent)
        cells = _own_or_all(rows, len(reports), self._question.periods)
        return [_printed_point(organisation, cell) for cell in cells]

    async def _derived(self, organisation: str, reports: Sequence[PanelReport]) -> list[PanelPoint]:
        """Returns printed percentages if each document prints them, and otherwise computes the formula."""
        printed = await rows_of(self._lookup, self._user_id, self._question.looked_up, reports, percent=True)
        if len(printed) == len(reports) and all(row.score >= _SURE for row in printed):
            cells = _own_or_all(printed, len(reports), self._question.periods)
            return [_printed_point(organisation, cell) for cell in cells]
        for formula in formulas_of(self._question.key):
            if points := await self._computed(organisation, reports, formula):
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
        points: dict[date, PanelPoint] = {}
        for report in reports:
            for lead, given in _by_period(by_report.get(report.document_id, {}), len(reports), self._question.periods):
                if end_of(lead) not in points and (made := compute(formula, given)) is not None:
                    points[end_of(lead)] = _computed_point(organisation, lead, made)
        return list(points.values())

    async def _growth(self, organisation: str, reports: Sequence[PanelReport]) -> list[PanelPoint]:
        """Returns the growth of the newest document's own period over the same period a year before."""
        rows = await rows_of(self._lookup, self._user_id, self._question.looked_up, reports, percent=False)
        for row in sorted(rows, key=lambda row: end_of(row.own), reverse=True):
            before = row.year_before() or _reported_year_before(row, rows)
            if before is not None and unscaled(before) > 0:
                change = unscaled(row.own) / unscaled(before) - 1
                shown = f"{row.own.text} ÷ {before.text} − 1"
                return [_computed_point(organisation, row.own, Computed(change, shown, (row.own, before)))]
        return []

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


def _own_or_all(rows: Sequence[ReportedRow], reports: int, periods: Sequence[str]) -> list[StoredFigure]:
    """Returns a cell for each period, from the document whose own period it is if there is one."""
    found = {end_of(row.own): row.own for row in rows}
    if reports <= FEW or periods:
        for row in rows:
            for cell in row.alike():
                found.setdefault(end_of(cell), cell)
    return [cell for cell in found.values() if _is_asked(cell.period, periods)]


def _by_period(
    rows: Mapping[str, ReportedRow], reports: int, periods: Sequence[str]
) -> list[tuple[StoredFigure, dict[str, StoredFigure]]]:
    """Returns the cells of all operands of one document for each period, with the cell that names the period."""
    if not rows:
        return []
    lead = next(iter(rows.values()))
    cells = lead.alike() if reports <= FEW or periods else [lead.own]
    return [
        (cell, {name: match for name, row in rows.items() if (match := _at(row, cell)) is not None})
        for cell in cells
        if _is_asked(cell.period, periods)
    ]


def _at(row: ReportedRow, lead: StoredFigure) -> StoredFigure | None:
    """Returns the row's cell at the period of ``lead``; a balance fits a period that ends on its day."""
    near = [cell for cell in row.cells if ends_with(cell, lead)]
    same = [cell for cell in near if is_as_long(cell, lead)]
    return next(iter([*same, *(cell for cell in near if not days_of(cell))]), None)


def _is_asked(period: str, periods: Sequence[str]) -> bool:
    return not periods or any(_covers(asked, period) for asked in periods)


def _covers(asked: str, period: str) -> bool:
    try:
        return covers(asked, period)
    except ValueError:
        return False


def _reported_year_before(row: ReportedRow, rows: Sequence[ReportedRow]) -> StoredFigure | None:
    return next((each.own for each in rows if is_year_before(each.own, row.own)), None)


def _without_name(measure: str, key: str) -> str:
    """Returns the words of a measure that restrict it: "AWS" in "AWS operating margin"."""
    folded = measure.casefold()
    for name in sorted(figures()[key].names, key=len, reverse=True):
        if name.casefold() in folded:
            start = folded.index(name.casefold())
            return f"{measure[:start]} {measure[start + len(name) :]}".strip()
    return ""


def _printed_point(organisation: str, cell: StoredFigure) -> PanelPoint:
    percent = cell.unit == "%"
    return PanelPoint(
        organisation=organisation,
        period=cell.period,
        end=end_of(cell),
        days=days_of(cell),
        value=cell.value / 100 if percent else unscaled(cell),
        unit=cell.unit,
        scale=1.0 if percent else cell.scale,
        currency=cell.currency,
        decimals=_decimals(cell.text),
        cells=(cell,),
    )


def _computed_point(organisation: str, lead: StoredFigure, made: Computed) -> PanelPoint:
    return PanelPoint(
        organisation=organisation, period=lead.period, end=end_of(lead), days=days_of(lead), value=made.value, unit="%",
        decimals=1, cells=made.cells, calculation=made.shown,
    )  # fmt: skip


def _decimals(text: str) -> int:
    whole = text.strip().rstrip("%) ").split(".")
    return len(whole[1]) if len(whole) == 2 and whole[1].isdigit() else 0
