"""Renders a result computed from datasets: how it was computed, a chart, a table, and the rows behind it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from markupsafe import Markup

from core.datasets.answers.cited_results import results_below
from core.datasets.answers.values import table_shown
from core.datasets.query.model import DataQuery
from core.datasets.query.result import ResultColumn
from core.events import Response, Source
from core.records.data_answer import MOST_ROWS, ChartKind, DataAnswer
from core.words import Language
from viz.charts.figure import figure_of, source_line
from viz.charts.shape import shape_of
from viz.charts.writing_direction import isolated_names
from viz.templating import render

IN_TABLE = 20
"""Number of rows that the table shows before it is opened in full."""


def data_result(data: DataAnswer, language: Language, wanted: ChartKind | None = None) -> Markup:
    """Returns the HTML of a result. ``wanted`` is the kind of chart that the user chose."""
    title = data.title or "".join(part.text for part in data.how)
    shape = shape_of(data, wanted or data.chart)
    figure = figure_of(data, title, language, shape.kind) if shape else None
    query = DataQuery.model_validate_json(data.query)
    return render(
        "data_result",
        data=data,
        rows=shown_rows(data, language),
        columns=[(number, column) for number, column in enumerate(data.columns) if column.role != "unit"],
        whole=len(data.rows) <= IN_TABLE,
        in_table=IN_TABLE,
        figure=json.dumps(figure.to_plotly_json(), default=_listed) if figure else "",
        source=source_line(data, language, shape),
        fetched=[isolated_names(each, language) for each in data.fetched],
        new_filter=f"where/{len(query.where)}",
        new_group=f"group/{len(query.group)}" if query.measures else "",
        opens=bool(query.group) and not query.pivot,
        kinds=shape.kinds if shape else (),
        kind=shape.kind if shape else "",
        repeated=query.repeated if query.repeated != "only" else "",
        title=title,
        language=language,
    )


def results(response: Response, sources: Sequence[Source], language: Language) -> Markup:
    """Returns the HTML of the results that the first line does not show; empty if there are none. They are folded; the
    first is open if the first line shows no result."""
    below = results_below(response, sources)
    if not below:
        return Markup("")
    return render(
        "results",
        results=[(source, data_result(source.data, language)) for source in below if source.data],
        first_is_open=not (response.answer and response.answer.data),
        language=language,
    )


def data_rows(data: DataAnswer, language: Language) -> Markup:
    """Returns the HTML of rows behind a result, each with its number in the sheet."""
    return render(
        "data_rows",
        data=data,
        rows=shown_rows(data, language),
        columns=[(number, column) for number, column in enumerate(data.columns) if column.role != "unit"],
        more=len(data.rows) < min(data.used, MOST_ROWS),
        language=language,
    )


def shown_rows(data: DataAnswer, language: Language) -> list[list[str]]:
    """Returns the cells of all stored rows of a result as a reader sees them."""
    return table_shown(data.rows, [ResultColumn.of(column) for column in data.columns], language)


def _listed(value: object) -> object:
    return list(value) if hasattr(value, "__iter__") else str(value)
