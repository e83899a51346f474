"""Builds the Plotly figure of a computed result: title, units, source line; for both directions of writing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from babel.dates import get_day_names, get_month_names

from core.messages import message
from core.records.data_answer import DataAnswer, DataCell, DataColumn
from core.words import Language
from viz.charts.shape import ChartKind, Shape, shape_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 340
_LONGEST_LABEL = 40
PALETTE = (
    "#0f766e",
    "#b45309",
    "#4f6bed",
    "#a21caf",
    "#4d7c0f",
    "#be123c",
    "#0369a1",
    "#7c5c3b",
    "#6d28d9",
    "#475569",
)
"""Colours of series that differ in hue and in lightness, on light and on dark paper."""


def figure_of(data: DataAnswer, title: str, language: Language, wanted: ChartKind | None = None) -> Figure | None:
    """Returns the figure of a result, or ``None`` if it cannot be drawn. ``title`` says what was computed. Each point
    carries the number of its row in the result, so that a click can open it."""
    import plotly.graph_objects as go

    shape = shape_of(data, wanted)
    if shape is None:
        return None
    figure = go.Figure(data=_traces(data, shape, language))
    value = data.columns[shape.values[0]]
    time = shape.kind == "line"
    figure.update_layout(
        template=None,
        title={"text": _escaped(title), "x": 0 if language == "en" else 1, "xref": "paper", "font": {"size": 14}},
        margin={"l": 56, "r": 16, "t": 56, "b": 64},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        colorway=list(PALETTE),
        barmode="stack" if shape.kind == "stacked" else "group",
        legend={"orientation": "h", "y": -0.25},
        height=HEIGHT,
        hovermode="closest",
        annotations=[_source(data, language)],
    )
    named = data.columns[shape.along].name if shape.kind != "histogram" else value.name
    kept = {"type": "category"} if shape.kind in ("bar", "stacked") or data.columns[shape.along].bucket else {}
    figure.update_xaxes(title={"text": _escaped(named), "standoff": 8}, automargin=True, **kept)
    counted = shape.kind == "histogram"
    shown = message("view.data_charts.rows").to(language) if counted else _axis_title(value, shape.unit)
    figure.update_yaxes(title={"text": shown}, automargin=True, tickformat=",.0%" if value.type == "percent" else ",")
    if counted and value.type == "percent":
        figure.update_xaxes(tickformat=",.0%")
    if language == "he":
        # Time runs from left to right in Hebrew charts too; groups are read from the right.
        figure.update_yaxes(side="right")
        if not time and shape.kind in ("bar", "stacked") and not data.columns[shape.along].bucket:
            figure.update_xaxes(autorange="reversed")
    return figure


def _axis_title(value: DataColumn, unit: str) -> str:
    return _escaped(f"{value.name} ({unit})" if unit else value.name)


def _source(data: DataAnswer, language: Language) -> dict[str, object]:
    names = ", ".join(dict.fromkeys(f"{each.name}" for each in data.datasets))
    text = message("view.data_charts.source", names=names, used=data.used, total=data.total).to(language)
    side = "left" if language == "en" else "right"
    return {
        "text": _escaped(text), "xref": "paper", "yref": "paper", "x": 0 if side == "left" else 1, "y": 1.04,
        "xanchor": side, "yanchor": "bottom", "showarrow": False, "font": {"size": 11},
    }  # fmt: skip


def _traces(data: DataAnswer, shape: Shape, language: Language) -> list[object]:
    import plotly.graph_objects as go

    rows = [
        (number, row)
        for number, row in enumerate(data.rows)
        if shape.unit_at is None or row[shape.unit_at] == shape.unit
    ]
    if shape.kind == "histogram":
        return [go.Histogram(x=[row[shape.values[0]] for _, row in rows], showlegend=False)]
    traces: list[object] = []
    for name, place, chosen in _series(data, shape, rows, language):
        style = {
            "x": [_label(row[shape.along], data.columns[shape.along], language) for _, row in chosen],
            "y": [row[place] for _, row in chosen],
            "customdata": [number for number, _ in chosen],
            "name": name,
            "hovertemplate": "%{x}<br>%{y}<extra>%{fullData.name}</extra>",
        }
        if shape.kind in ("bar", "stacked"):
            traces.append(go.Bar(**style))
        else:
            traces.append(go.Scatter(mode="markers" if shape.kind == "scatter" else "lines+markers", **style))
    for trace in traces:
        trace.showlegend = len(traces) > 1  # type: ignore[attr-defined]
    return traces


def _series(
    data: DataAnswer, shape: Shape, rows: Sequence[tuple[int, list[DataCell]]], language: Language
) -> list[tuple[str, int, list[tuple[int, list[DataCell]]]]]:
    """(name, column of the values, rows) of each series."""
    if shape.series is None:
        return [(_escaped(data.columns[place].name), place, list(rows)) for place in shape.values]
    names = dict.fromkeys(row[shape.series] for _, row in rows)
    column = data.columns[shape.series]
    return [
        (_label(name, column, language), shape.values[0], [each for each in rows if each[1][shape.series] == name])
        for name in names
    ]


def _label(value: DataCell, column: DataColumn, language: Language) -> str:
    if value is None:
        return message("datasets.blank").to(language)
    if column.bucket == "weekday":
        return str(get_day_names("abbreviated", locale=language)[int(value) - 1])
    if column.bucket == "month_of_year":
        return str(get_month_names("abbreviated", "stand-alone", locale=language)[int(value)])
    if column.type in ("number", "money", "percent"):
        return str(value)
    text = str(value)
    return _escaped(text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 1]}…")


def _escaped(text: str) -> str:
    """Escapes a text of a document: Plotly reads some tags as formatting."""
    return text.replace("&", "&amp;").replace("<", "&lt;")
