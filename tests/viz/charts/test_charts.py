"""Checks which drawing a result gets, and that a figure holds what the result holds."""

from __future__ import annotations

import pytest

from core.datasets.query.model import DataQuery, Function, Measure
from core.records.data_answer import DataAnswer, DataCell, DataColumn, DatasetCited
from viz.charts.figure import figure_of
from viz.charts.shape import shape_of

REGION = DataColumn(name="Region", type="category", role="group")
MONTH = DataColumn(name="Day", type="category", role="group", bucket="month")
AMOUNT = DataColumn(name="Amount", type="money", role="measure", unit="EUR")
UNIT = DataColumn(name="Amount (unit)", type="category", role="unit")


def result(columns: list[DataColumn], rows: list[list[DataCell]], function: Function = "sum") -> DataAnswer:
    cited = DatasetCited(id="d", document_id="x", name="Orders", number=1)
    query = DataQuery(dataset="d", measures=[Measure(function=function, column="Amount")]).model_dump_json()
    return DataAnswer(query=query, datasets=[cited], columns=columns, rows=rows, count=len(rows), used=9, total=12)


@pytest.mark.parametrize(
    ("columns", "rows", "kind"),
    [
        ([REGION, AMOUNT], [["N", 1], ["S", 2], ["E", 3]], "bar"),
        ([MONTH, AMOUNT], [["2024-01", 1], ["2024-02", 2], ["2024-03", 3]], "line"),
        ([MONTH, REGION, AMOUNT], [["2024-01", "N", 1], ["2024-02", "N", 2], ["2024-03", "S", 3]], "line"),
        ([MONTH, REGION, AMOUNT], [["2024-01", "N", 1], ["2024-02", "N", 2], ["2024-02", "S", 3]], "bar"),
        ([REGION, DataColumn(name="Kind", type="category", role="group"), AMOUNT], [["N", "a", 1]] * 3, "stacked"),
        ([DataColumn(name="Wait", type="number"), DataColumn(name="Score", type="number")], [[1, 2]] * 3, "scatter"),
        ([DataColumn(name="Wait", type="number")], [[1], [2], [5]], "histogram"),
        ([REGION, AMOUNT], [["N", 1], ["S", 2]], None),
        ([DataColumn(name="Name", type="text")], [["a"], ["b"], ["c"]], None),
    ],
)
def test_the_drawing_follows_the_shape_of_the_result(
    columns: list[DataColumn], rows: list[list[DataCell]], kind: str | None
) -> None:
    shape = shape_of(result(columns, rows))
    assert (shape.kind if shape else None) == kind


def test_a_figure_holds_the_values_with_unit_and_source_in_both_languages() -> None:
    data = result([REGION, AMOUNT], [["North", 1], ["South", None], ["East", 3]])
    for language, side in (("en", None), ("he", "right")):
        figure = figure_of(data, "Amount by Region", language)  # type: ignore[arg-type]
        assert figure is not None
        assert list(figure.data[0].x) == ["North", "South", "East"]
        assert list(figure.data[0].y) == [1, None, 3]
        assert list(figure.data[0].customdata) == [0, 1, 2]
        assert figure.layout.yaxis.title.text == "Amount (EUR)"
        assert figure.layout.yaxis.side == side
        assert "Orders" in figure.layout.title.subtitle.text


def test_amounts_in_another_currency_are_not_drawn_on_the_same_axis() -> None:
    measure = DataColumn(name="Amount", type="money", role="measure")
    rows: list[list[DataCell]] = [["N", "USD", 9], ["N", "EUR", 1], ["S", "EUR", 2], ["E", "EUR", 3]]
    assert figure_of(result([REGION, UNIT, measure], rows[:3]), "Amount", "en") is None
    figure = figure_of(result([REGION, UNIT, measure], rows), "Amount", "en")
    assert figure is not None
    assert list(figure.data[0].y) == [1, 2, 3]
    assert figure.layout.yaxis.title.text == "Amount (EUR)"
    assert "only amounts in EUR" in figure.layout.title.subtitle.text


def test_averages_are_not_stacked() -> None:
    columns = [REGION, DataColumn(name="Kind", type="category", role="group"), AMOUNT]
    rows: list[list[DataCell]] = [["N", "a", 1], ["N", "b", 2], ["S", "a", 3]]
    assert shape_of(result(columns, rows)).kind == "stacked"  # type: ignore[union-attr]
    averages = shape_of(result(columns, rows, "mean"), "stacked")
    assert averages is not None
    assert (averages.kind, averages.kinds) == ("bar", ("bar", "line"))


def test_bars_with_many_names_lie_and_are_read_from_the_side_of_the_language() -> None:
    names = [f"Customer with a long name {number}" for number in range(30)]
    for language, side, run in (("en", None, None), ("he", "right", "reversed")):
        figure = figure_of(result([REGION, AMOUNT], [[name, 1] for name in names]), "Amount", language)  # type: ignore[arg-type]
        assert figure is not None
        assert (figure.data[0].orientation, list(figure.data[0].y)) == ("h", names)
        assert (figure.layout.yaxis.autorange, figure.layout.yaxis.side) == ("reversed", side)
        assert figure.layout.xaxis.autorange == run
        assert figure.layout.height > 30 * 20


def test_long_titles_of_axes_are_broken_and_name_the_unit_once() -> None:
    wait = DataColumn(name="w", type="number", role="measure", unit="minutes", label="Average of How long? (minutes)")
    figure = figure_of(result([REGION, wait], [["N", 1], ["S", 2], ["E", 3]]), "Wait", "en")
    assert figure is not None
    assert figure.layout.yaxis.title.text == "Average of How long? (minutes)"
    long = wait.model_copy(update={"label": "Average of How long did you wait at the desk?"})
    figure = figure_of(result([REGION, long], [["N", 1], ["S", 2], ["E", 3]]), "Wait", "en")
    assert figure is not None
    assert figure.layout.yaxis.title.text == "Average of How long did you wait at<br>the desk? (minutes)"


def test_another_drawing_is_used_if_it_fits() -> None:
    data = result([MONTH, AMOUNT], [["2024-01", 1], ["2024-02", 2], ["2024-03", 3]])
    bars, lines = shape_of(data, "bar"), shape_of(data, "scatter")
    assert bars is not None
    assert lines is not None
    assert (bars.kind, lines.kind) == ("bar", "line")
