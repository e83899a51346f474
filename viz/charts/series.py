"""Builds the Plotly figure of a series chart: lines that break where a value is missing, or bars."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from core.messages import message
from core.records.series_chart import ChartSeries, SeriesChart
from core.words import Language
from viz.charts.figure import HEIGHT, PALETTE

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def series_figure(chart: SeriesChart, language: Language) -> Figure:
    """Returns the figure. Each point carries its number among all points of the chart that have a value, in their
    order, so that a click can open its cell."""
    import plotly.graph_objects as go

    made, number = [], 0
    for each in chart.series:
        made.append(_trace(each, number, over_time=chart.over_time))
        number += sum(point.value is not None for point in each.points)
    figure = go.Figure(data=made)
    figure.update_layout(
        template=None,
        margin={"l": 56, "r": 16, "t": 12, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=list(PALETTE),
        legend={"orientation": "h", "y": -0.2},
        height=HEIGHT,
        hovermode="closest",
        showlegend=chart.over_time and len(chart.series) > 1,
    )
    figure.update_xaxes(automargin=True, type="date" if chart.over_time else "category")
    percent = chart.unit == "%"
    named = chart.measure if percent or not chart.unit else f"{chart.measure} ({chart.unit})"
    figure.update_yaxes(title={"text": _escaped(named)}, automargin=True, tickformat=",.0%" if percent else ",")
    if not chart.over_time:
        figure.update_yaxes(rangemode="tozero")
    if language == "he":
        # Time runs from left to right in Hebrew charts too; bars are read from the right.
        figure.update_yaxes(side="right")
        figure.update_xaxes(autorange=None if chart.over_time else "reversed")
    return figure


def source_line(chart: SeriesChart, language: Language) -> str:
    """Returns the line below a chart that names its documents."""
    return message("view.data_charts.series_source", names=", ".join(chart.sources)).to(language)


def _trace(series: ChartSeries, first: int, *, over_time: bool) -> object:
    """Returns the trace of a series whose first value has the number ``first``; bars stand at the organisation's
    name."""
    import plotly.graph_objects as go

    numbers = iter(range(first, first + len(series.points)))
    style = {
        "x": [point.end.isoformat() if over_time else _escaped(series.name) for point in series.points],
        "y": [point.value for point in series.points],
        "customdata": [None if point.value is None else next(numbers) for point in series.points],
        "text": [_escaped(f"{point.period}: {point.shown}") for point in series.points],
        "name": _escaped(series.name),
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
    }
    if over_time:
        return go.Scatter(mode="lines+markers", connectgaps=False, marker={"size": 8}, **style)
    return go.Bar(textposition="none", **style)


def _escaped(text: str) -> str:
    """Escapes a text of a document: Plotly reads some tags as formatting."""
    return escape(text, quote=False)
