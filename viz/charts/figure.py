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
from viz.charts.layout import HEIGHT, axis_title, escaped, layout
from viz.charts.shape import LONGEST_NAME, Shape, shape_of
from viz.charts.writing_direction import isolated_names

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

_BAR, _BETWEEN_BARS, _AXIS = 12, 10, 100
"""Pixels: thickness of a lying bar, the space after the bars of a name, and the space for the axis and the legend."""


def figure_of(data: DataAnswer, title: str, language: Language, wanted: ChartKind | None = None) -> Figure | None:
    """Returns the figure of a result, or ``None`` if it cannot be drawn. ``title`` says what was computed. Each point
    carries the number of its row in the result, so that a click can open it."""
    import plotly.graph_objects as go

    shape = shape_of(data, wanted)
    if shape is None:
        return None
    figure = go.Figure(data=_traces(data, shape, language))
    figure.update_layout(**layout(title, source_line(data, language, shape), language, _height(data, shape)))
    figure.update_layout(barmode="stack" if shape.kind == "stacked" else "group")
    along, values = ("y", "x") if shape.lies else ("x", "y")
    value = data.columns[shape.values[0]]
    counted = shape.kind == "histogram"
    named = value.heading if counted else data.columns[shape.along].heading
    said = message("view.data_charts.rows").to(language) if counted else _axis_title(value, shape.unit)
    kept = {"type": "category"} if shape.kind in ("bar", "stacked") or data.columns[shape.along].bucket else {}
    axes: dict[str, dict[str, object]] = {
        along: {"title": axis_title(named, along), "automargin": True, **kept},
        values: {"title": axis_title(said, values), "automargin": True, "tickformat": ","},
    }
    if value.type == "percent":
        axes[along if counted else values]["tickformat"] = ",.0%"
    if shape.lies:
        axes["y"]["autorange"] = "reversed"
    if language == "he":
        axes["y"]["side"] = "right"
        # Time runs from left to right in Hebrew charts too; groups and lying bars are read from the right.
        if shape.kind in ("bar", "stacked") and not data.columns[shape.along].bucket:
            axes["x"]["autorange"] = "reversed"
    figure.update_layout(xaxis=axes["x"], yaxis=axes["y"])
    return figure


def _height(data: DataAnswer, shape: Shape) -> int:
    """Returns the height in pixels: lying bars need space for each name."""
    if not shape.lies:
        return HEIGHT
    series = len(shape.values) if shape.series is None else len({row[shape.series] for row in data.rows})
    thick = _BAR * (series if shape.kind == "bar" else 1) + _BETWEEN_BARS
    return max(HEIGHT, len({row[shape.along] for row in data.rows}) * thick + _AXIS)


def _axis_title(value: DataColumn, unit: str) -> str:
    return f"{value.heading} ({unit})" if unit and f"({unit})" not in value.heading else value.heading


def source_line(data: DataAnswer, language: Language, shape: Shape | None) -> str:
    """Returns the line below a chart that names the datasets, how many of their rows were used, and the unit if rows in
    other units are not drawn."""
    names = ", ".join(dict.fromkeys(each.name for each in data.datasets))
    said = message("view.data_charts.source", names=names, used=data.used, total=data.total).to(language)
    if shape is not None and shape.unit_at is not None and len({row[shape.unit_at] for row in data.rows}) > 1:
        said = f"{said}; {message('view.data_charts.one_unit', unit=shape.unit).to(language)}"
    return isolated_names(said, language)


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
    along, values = ("y", "x") if shape.lies else ("x", "y")
    for name, place, chosen in series:
        style = {
            along: [_label(row[shape.along], data.columns[shape.along], language) for _, row in chosen],
            values: [row[place] for _, row in chosen],
            "customdata": [number for number, _ in chosen],
            "name": name,
            "text": [_shown(row, place, data, language) for _, row in chosen],
            "hovertemplate": f"%{{{along}}}<br>%{{text}}<extra>{'%{fullData.name}' if len(series) > 1 else ''}</extra>",
        }
        if shape.kind in ("bar", "stacked"):
            traces.append(go.Bar(textposition="none", orientation="h" if along == "y" else "v", **style))
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
        return [(escaped(data.columns[place].heading), place, list(rows)) for place in shape.values]
    names = dict.fromkeys(row[shape.series] for _, row in rows)
    column = data.columns[shape.series]
    return [
        (_label(name, column, language), shape.values[0], [each for each in rows if each[1][shape.series] == name])
        for name in names
    ]


def _shown(row: Sequence[DataCell], place: int, data: DataAnswer, language: Language) -> str:
    unit_at = next((number for number, column in enumerate(data.columns) if column.role == "unit"), None)
    unit = str(row[unit_at] or "") if unit_at is not None and not data.columns[place].unit else None
    return escaped(shown(row[place], ResultColumn.of(data.columns[place]), language, unit))


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
    return escaped(text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…")
