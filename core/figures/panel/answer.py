"""Words a panel: the line that answers, a table with a citation in each row, and what was not found."""

from __future__ import annotations

from collections.abc import Sequence

from core.figures.measures.wording import period_text
from core.figures.numbers import natural
from core.figures.panel.changes import changed, changes
from core.figures.panel.chart import panel_chart
from core.figures.panel.gaps import gaps
from core.figures.panel.lengths import differ, is_of_another_length
from core.figures.panel.period_names import is_asked
from core.figures.panel.points import printed_point
from core.figures.panel.records import Panel, PanelPoint, PanelSeries
from core.figures.panel.spans import DAYS_OF_MONTH, WEEK
from core.figures.panel.wording import (
    DATED,
    Items,
    Numbers,
    period_of,
    printed_period,
    reference,
    row_of,
    shown,
)
from core.figures.stored.records import StoredFigure
from core.language.entities.dates import dates_in
from core.language.normalisation import fold
from core.language.phrases import words
from core.messages import message
from core.records.answer import Answer
from core.words import Language, Words

_MOST_TITLES = 4
_OTHER_LENGTH = message("answering.panel.other_length")
_ONE_LEFT = message("answering.panel.one_left")


def panel_answer(panel: Panel, numbers: Numbers, items: Items, language: Language) -> Answer | None:
    """Returns the answer, or ``None`` if the panel has no value."""
    points = panel.points
    if not points:
        return None
    lead = _lead(panel, language)
    cells = [reference(cell, numbers, items) for point in lead.points or points for cell in point.cells]
    return Answer(
        kind="choice" if panel.question.ranks else "calculation",
        line=f"{lead.text} {_cited(lead.points or points, numbers)}".strip(),
        value=lead.organisation or [_shown_value(point) for point in points],
        unit=points[-1].unit or None,
        scale=points[-1].scale,
        currency=points[-1].currency or None,
        entity=lead.organisation or ", ".join(dict.fromkeys(point.organisation for point in points)),
        metric=panel.question.measure,
        cells=cells,
        table="\n\n".join(
            part for part in (_table(panel, numbers, language), *_remarks(panel, numbers, language)) if part
        ),
        charts=[chart] if (chart := panel_chart(panel, numbers, items, language)) else [],
        doubt=_doubt(panel),
    )


def in_one(answers: Sequence[Answer]) -> Answer:
    """Returns the answers of several measures as one: the first line, and below its table the other lines and
    tables."""
    first, *others = answers
    if not others:
        return first
    parts = [first.table, *(part for each in others for part in (each.line, each.table))]
    cells = [cell for each in answers for cell in each.cells]
    charts = [chart for each in answers for chart in each.charts]
    doubt = next((each.doubt for each in answers if each.doubt), None)
    return first.model_copy(update={"table": "\n\n".join(parts), "cells": cells, "charts": charts, "doubt": doubt})


def _doubt(panel: Panel) -> Words | None:
    """Returns a warning if organisations are compared over times of different lengths or over another length than the
    question names, or if only one is left to rank."""
    latest = [series.points[-1] for series in panel.series if series.points]
    if (len(latest) > 1 and differ(latest)) or is_of_another_length(panel):
        return _OTHER_LENGTH
    return _ONE_LEFT if panel.question.ranks and len(latest) == 1 < len(panel.series) else None


class _Lead:
    """The line that answers; ``points`` are those that it states, ``organisation`` the one that it names."""

    def __init__(self, text: str, points: Sequence[PanelPoint] = (), organisation: str = "") -> None:
        self.text, self.points, self.organisation = text, list(points), organisation


def _lead(panel: Panel, language: Language) -> _Lead:
    question = panel.question
    measure = question.measure[:1].upper() + question.measure[1:]
    latest = [series.points[-1] for series in panel.series if series.points]
    if question.ranks:
        best = (min if question.lowest else max)(latest, key=lambda point: point.value)
        growth = question.kind == "growth"
        key = ("grew_least" if question.lowest else "grew") if growth else "lowest" if question.lowest else "highest"
        text = message(
            f"answering.panel.{key}", organisation=best.organisation, measure=question.measure,
            value=shown(best, language, signed=growth), period=period_of(best, language),
        ).to(language)  # fmt: skip
        return _Lead(text, [best], best.organisation)
    if len(latest) > 1:
        ranked = sorted(latest, key=lambda point: -point.value)
        parts = "; ".join(f"{p.organisation} {shown(p, language)} ({period_of(p, language)})" for p in ranked)
        return _Lead(message("answering.panel.compared", measure=measure, parts=parts).to(language), ranked)
    series = next(each for each in panel.series if each.points)
    first, last = series.points[0], series.points[-1]
    if first is last:
        said = message(
            "answering.panel.one", measure=measure, organisation=series.organisation, value=shown(last, language),
            period=period_of(last, language),
        )  # fmt: skip
        return _Lead(said.to(language), [last])
    own = _names(measure, series.organisation)
    said = message(
        f"answering.panel.{'own_series' if own else 'series'}", measure=measure, organisation=series.organisation,
        first=shown(first, language), earlier=period_of(first, language), last=shown(last, language),
        later=period_of(last, language),
    )  # fmt: skip
    change = _change(first, last, language)
    return _Lead(f"{said.to(language)}{f', {change}' if change else ''}", [first, last])


def _names(measure: str, organisation: str) -> bool:
    """Returns whether a measure names its organisation: by the first words of its name up to one that is not an
    initial, so "Amazon" names Amazon.com, and "a" does not name A. Schulman."""
    name = [fold(word) for part in words(organisation) for word in part.split(".")]
    head = next((name[: place + 1] for place, word in enumerate(name) if len(word) > 1), name)
    said = [fold(word).removesuffix("'s") for word in words(measure)]
    return any(said[start : start + len(head)] == head for start in range(len(said)))


def _change(first: PanelPoint, last: PanelPoint, language: Language) -> str:
    """Returns the change between two values of equally long periods: in points for percentages, else in per cent."""
    if abs(first.days - last.days) > WEEK:
        return ""
    if first.unit == "%":
        points = round(100 * last.value, last.decimals) - round(100 * first.value, first.decimals)
        shown_points = message("answering.panel.points", value=natural(abs(round(points, 1)), 1)).to(language)
        return _moved(points, shown_points, language)
    if first.value <= 0 or last.value <= 0:
        return ""
    percent = round(100 * (last.value / first.value - 1), 1)
    return _moved(percent, f"{natural(abs(percent), 1)} %", language)


def _moved(change: float, shown_change: str, language: Language) -> str:
    key = "up" if change > 0 else "down" if change < 0 else "same"
    return message(f"answering.panel.{key}", value=shown_change).to(language)


def _shown_value(point: PanelPoint) -> float:
    return round(100 * point.value, 1) if point.unit == "%" else point.value / point.scale


def _calculation(point: PanelPoint, language: Language) -> str:
    """Returns the calculation; for a derived quarter also the two periods from which it follows."""
    if not point.is_remainder:
        return point.calculation
    longer, shorter = (printed_period(cell, cell.period, language) for cell in point.cells)
    return message(
        "answering.panel.derived", longer=longer, shorter=shorter, calculation=point.calculation
    ).to(language)  # fmt: skip


def _cited(points: Sequence[PanelPoint], numbers: Numbers) -> str:
    found = dict.fromkeys(numbers[row_of(cell)] for point in points for cell in point.cells)
    return " ".join(f"[{number}]" for number in found)


def _table(panel: Panel, numbers: Numbers, language: Language) -> str:
    """Returns the values as a Markdown table: a row per value, largest or oldest first."""
    several = len([series for series in panel.series if series.points]) > 1
    computed = any(point.calculation for point in panel.points)
    moved = {point: change for each in panel.series for point, change in changes(each.points, language).items()}
    added = changed(moved.values())
    names = ["organisation"] * several + ["period", "value", *added] + ["calculation"] * computed + ["source"]
    rows = [[message(f"answering.panel.columns.{name}").to(language) for name in names], ["---"] * len(names)]
    growth = panel.question.kind == "growth"
    for point in _in_order(panel):
        row = [point.organisation] * several
        row += [period_of(point, language), shown(point, language, signed=growth)]
        row += [str(getattr(moved[point], name)) for name in added]
        row += [_calculation(point, language)] * computed + [_place(point, numbers, language)]
        rows.append([cell.replace("|", "/") for cell in row])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _in_order(panel: Panel) -> list[PanelPoint]:
    if panel.question.ranks and all(len(series.points) <= 1 for series in panel.series):
        return sorted(panel.points, key=lambda point: point.value, reverse=not panel.question.lowest)
    return panel.points


def _place(point: PanelPoint, numbers: Numbers, language: Language) -> str:
    pages = dict.fromkeys((numbers[row_of(cell)], cell.page) for cell in point.cells)
    page = message("answering.panel.page").to(language)
    return ", ".join(f"[{number}] {page} {at}" if at else f"[{number}]" for number, at in pages)


def _remarks(panel: Panel, numbers: Numbers, language: Language) -> list[str]:
    """Returns what was not found, which time no report covers, which values differ between documents, and whether the
    periods differ in length."""
    said = []
    if panel.missing:
        said.append(message("answering.panel.missing", names=", ".join(panel.missing)).to(language))
    for series in panel.series:
        said += _unstated(panel, series, language)
        if panel.question.kind == "series" and series.points and series.without and not panel.question.periods:
            titles = ", ".join(series.without[:_MOST_TITLES])
            said.append(message("answering.panel.without", titles=titles).to(language))
        said += [
            message("answering.panel.gap", first=_last_day(first, language), last=_last_day(last, language)).to(
                language
            )
            for first, last in gaps(series.points)
        ]
        said += [_restated(pair, numbers, language) for pair in series.restated]
    if panel.unlike:
        said.append(message("answering.panel.unlike", parts=_by_length(panel.unlike, language)).to(language))
    if differ(panel.points):
        several = len([series for series in panel.series if series.points]) > 1
        parts = _by_length(panel.points, language, named=several)
        said.append(message("answering.panel.lengths", parts=parts).to(language))
    return said


def _unstated(panel: Panel, series: PanelSeries, language: Language) -> list[str]:
    """Names the periods of the question for which an organisation with other values has none."""
    ends = [point.period for point in series.points]
    without = [key for key in panel.question.periods if not any(is_asked(end, (key,)) for end in ends)]
    if not series.points or not without:
        return []
    periods = ", ".join(period_text(key, language) for key in without)
    said = message("answering.panel.unstated", organisation=series.organisation, periods=periods)
    return [said.to(language)]


def _by_length(points: Sequence[PanelPoint], language: Language, *, named: bool = True) -> str:
    """Returns the periods by their length: "3 months: Acme (Q1 2031); 12 months: Bolt (2030)"."""
    by_months: dict[int, list[str]] = {}
    for point in points:
        period = period_of(point, language)
        shown_period = f"{point.organisation} ({period})" if named else period
        by_months.setdefault(round(point.days / DAYS_OF_MONTH), []).append(shown_period)
    return "; ".join(
        f"{_length(months, language)}: {', '.join(found[:_MOST_TITLES])}{', …' * (len(found) > _MOST_TITLES)}"
        for months, found in sorted(by_months.items())
    )


def _length(months: int, language: Language) -> str:
    key = "months" if months else "one_day"
    return message(f"answering.panel.{key}", count=months).to(language)


def _restated(pair: tuple[StoredFigure, StoredFigure], numbers: Numbers, language: Language) -> str:
    """Returns the values that two documents print for one period."""
    first, second = (printed_point("", cell, cell.period) for cell in pair)
    return message(
        "answering.panel.restated", period=period_of(first, language), first=shown(first, language),
        place=_place(first, numbers, language), second=shown(second, language), other=_place(second, numbers, language),
    ).to(language)  # fmt: skip


def _last_day(point: PanelPoint, language: Language) -> str:
    """Returns the last day of a period; its name if the table prints no day, as for most fiscal years."""
    if point.is_remainder or dates_in(point.cells[0].header, DATED):
        return f"{point.end:%Y-%m-%d}"
    return period_text(point.period, language)
