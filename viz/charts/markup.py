"""Renders the chart of a series with its title, its source and a link to the cell of each value."""

from __future__ import annotations

from markupsafe import Markup

from core.records.series_chart import SeriesChart
from core.words import Language
from viz.cell_link import cell_link
from viz.charts.series import series_figure, source_line
from viz.templating import render


def series_chart(chart: SeriesChart, language: Language) -> Markup:
    """Returns the HTML of a chart."""
    return render(
        "series_chart",
        title=chart.title,
        source=source_line(chart, language),
        figure=series_figure(chart, language).to_json(),
        cells=[
            cell_link(point.cell, point.shown, language)
            for each in chart.series
            for point in each.points
            if point.cell is not None
        ],
        language=language,
    )
