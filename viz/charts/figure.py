"""Builds the Plotly figure of a computed result: title, units, source line; for both directions of writing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from babel.dates import get_day_names, get_month_names

from core.datasets.answers.values import shown
from core.datasets.query.result import ResultColumn
from core.messages import message
from core.records.data_answer import ChartKind, DataAnswer, DataCell, DataColumn
from core.words import Language
from viz.charts.shape import Shape, shape_of
from viz.writing_direction import isolated_names

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 340
_LONGEST_LABEL = 40
_LONGEST_NAME = 16
_LEVEL_NAMES = 5
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
    figure.update_layout(**_layout(data, shape, title, language))
    named = data.columns[shape.along].heading if shape.kind != "histogram" else value.heading
    kept = {"type": "category"} if shape.kind in ("bar", "stacked") or data.columns[shape.along].bucket else {}
    figure.update_xaxes(title={"text": _escaped(named), "standoff": 8}, automargin=True, **kept)
    counted = shape.kind == "histogram"
    named_y = message("view.data_charts.rows").to(language) if counted else _axis_title(value, shape.unit)
    figure.update_yaxes(title={"text": named_y}, automargin=True, tickformat=",.0%" if value.type == "percent" else ",")
    if counted and value.type == "percent":
        figure.update_xaxes(tickformat=",.0%")
    if language == "he":
        # Time runs from left to right in Hebrew charts too; groups are read from the right.
        figure.update_yaxes(side="right", automargin=False, title={"standoff": 44})
        figure.update_layout(margin={"l": 16, "r": 96, "b": _room_below(data, shape)})
        figure.update_xaxes(title={"standoff": _room_below(data, shape) - 24})
        if not time and shape.kind in ("bar", "stacked") and not data.columns[shape.along].bucket:
            figure.update_xaxes(autorange="reversed")
    return figure


def _room_below(data: DataAnswer, shape: Shape) -> int:
    """The height in pixels of the names below a chart, which are turned if there are many."""
    longest = max((len(str(row[shape.along])) for row in data.rows), default=0)
    turned = len(data.rows) > _LEVEL_NAMES
    return 40 + (6 * min(longest, _LONGEST_NAME) if turned else 16)


def _layout(data: DataAnswer, shape: Shape, title: str, language: Language) -> dict[str, object]:
    """The title, the source line, the legend and the margins."""
    return {
        "template": None,
        "title": {
            "text": _escaped(title),
            "x": 0 if language == "en" else 1,
            "xref": "paper",
            "y": 0.97,
            "yanchor": "top",
            "font": {"size": 14},
            "subtitle": {"text": _escaped(source_line(data, language)), "font": {"size": 11}},
        },
        "margin": {"l": 56, "r": 16, "t": 104, "b": 16},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "colorway": list(PALETTE),
        "barmode": "stack" if shape.kind == "stacked" else "group",
        "legend": {
            "orientation": "h",
            "y": 1.02,
            "yanchor": "bottom",
            "x": 0 if language == "en" else 1,
            "xanchor": "left" if language == "en" else "right",
        },
        "height": HEIGHT,
        "hovermode": "closest",
    }


def _axis_title(value: DataColumn, unit: str) -> str:
    return _escaped(f"{value.heading} ({unit})" if unit else value.heading)


def source_line(data: DataAnswer, language: Language) -> str:
    """Returns the line below a chart that names the datasets, and how many of their rows were used."""
    names = ", ".join(dict.fromkeys(each.name for each in data.datasets))
    line = message("view.data_charts.source", names=names, used=data.used, total=data.total).to(language)
    return isolated_names(line, language)


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
    series = _series(data, shape, rows, language)
    for name, place, chosen in series:
        style = {
            "x": [_label(row[shape.along], data.columns[shape.along], language) for _, row in chosen],
            "y": [row[place] for _, row in chosen],
            "customdata": [number for number, _ in chosen],
            "name": name,
            "text": [_shown(row, place, data, language) for _, row in chosen],
            "hovertemplate": f"%{{x}}<br>%{{text}}<extra>{'%{fullData.name}' if len(series) > 1 else ''}</extra>",
        }
        if shape.kind in ("bar", "stacked"):
            traces.append(go.Bar(textposition="none", **style))
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
        return [(_escaped(data.columns[place].heading), place, list(rows)) for place in shape.values]
    names = dict.fromkeys(row[shape.series] for _, row in rows)
    column = data.columns[shape.series]
    return [
        (_label(name, column, language), shape.values[0], [each for each in rows if each[1][shape.series] == name])
        for name in names
    ]


def _shown(row: Sequence[DataCell], place: int, data: DataAnswer, language: Language) -> str:
    unit_at = next((number for number, column in enumerate(data.columns) if column.role == "unit"), None)
    unit = str(row[unit_at] or "") if unit_at is not None and not data.columns[place].unit else None
    return _escaped(shown(row[place], ResultColumn.of(data.columns[place]), language, unit))


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
