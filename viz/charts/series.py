"""Builds the Plotly figure of a series chart: lines that break where a value is missing, or bars."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from babel.dates import format_date

from core.messages import message
from core.records.series_chart import ChartSeries, SeriesChart
from core.words import Language
from viz.charts.layout import axis_title, escaped, layout

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_TICKS = 11
"""Maximum number of labels of an axis of time."""


def series_figure(chart: SeriesChart, language: Language) -> Figure:
    """Returns the figure. Each point carries its number among all points of the chart that have a value, in their
    order, so that a click can open its cell."""
    import plotly.graph_objects as go

    made, number = [], 0
    for each in chart.series:
        made.append(_trace(each, number, over_time=chart.over_time))
        number += sum(point.value is not None for point in each.points)
    figure = go.Figure(data=made)
    named = f"{chart.title} ({chart.unit})" if chart.unit else chart.title
    figure.update_layout(**layout(named, source_line(chart, language), language))
    figure.update_layout(showlegend=chart.over_time and len(chart.series) > 1)
    figure.update_xaxes(automargin=True, type="date" if chart.over_time else "category")
    percent = chart.unit == "%"
    title = axis_title("" if percent else chart.unit, "y")
    figure.update_yaxes(automargin=True, tickformat=",.0%" if percent else ",", title=title)
    if chart.over_time:
        ends = _ticks(chart)
        title = axis_title(message("view.data_charts.period_end").to(language), "x")
        labels = [str(format_date(end, "MMM yyyy", locale=language)) for end in ends]
        figure.update_xaxes(tickvals=[end.isoformat() for end in ends], ticktext=labels, title=title)
    else:
        figure.update_yaxes(rangemode="tozero")
    if language == "he":
        # Time runs from left to right in Hebrew charts too; bars are read from the right.
        figure.update_yaxes(side="right")
        figure.update_xaxes(autorange=None if chart.over_time else "reversed")
    return figure


def _ticks(chart: SeriesChart) -> list[datetime.date]:
    """Returns the ends of periods at which the axis has a label, far enough from each other to be read."""
    ends = sorted({point.end for each in chart.series for point in each.points})
    apart = (ends[-1] - ends[0]) / MOST_TICKS if ends else datetime.timedelta()
    kept: list[datetime.date] = []
    for end in ends:
        if not kept or end - kept[-1] > apart:
            kept.append(end)
    return kept


def source_line(chart: SeriesChart, language: Language) -> str:
    """Returns the line below a chart that names its documents."""
    return message("view.data_charts.series_source", names=", ".join(chart.sources)).to(language)


def _trace(series: ChartSeries, first: int, *, over_time: bool) -> object:
    """Returns the trace of a series whose first value has the number ``first``; bars stand at the organisation's
    name."""
    import plotly.graph_objects as go

    numbers = iter(range(first, first + len(series.points)))
    style = {
        "x": [point.end.isoformat() if over_time else escaped(series.name) for point in series.points],
        "y": [point.value for point in series.points],
        "customdata": [None if point.value is None else next(numbers) for point in series.points],
        "text": [escaped(f"{point.period}: {point.shown}") for point in series.points],
        "name": escaped(series.name),
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
    }
    if over_time:
        return go.Scatter(mode="lines+markers", connectgaps=False, marker={"size": 8}, **style)
    return go.Bar(textposition="none", **style)
