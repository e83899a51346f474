"""Tests charts of panels: a line for each company, breaks at gaps, percentages as fractions, the cell of each point."""

from __future__ import annotations

from datetime import date, timedelta

from core.figures.panel.answer import panel_answer
from core.figures.panel.records import Panel, PanelPoint, PanelQuestion, PanelSeries
from core.figures.stored.records import StoredFigure
from core.records.answer import Answer
from core.records.series_chart import SeriesChart
from viz.charts.series import MOST_TICKS, series_figure

QUARTERS = (date(2031, 3, 31), date(2031, 6, 30), date(2031, 9, 30), date(2031, 12, 31), date(2032, 3, 31))


def point(company: str, end: date, value: float, **other: object) -> PanelPoint:
    cell = StoredFigure(
        document_id=f"{company} {end}", title=f"Report of {end}", label="Revenue", header=f"{end:%B %d, %Y}",
        period=f"{end.year}-Q{(end.month + 2) // 3}", value=value, text=f"{value:,.0f}", table=1, row=2, column=3,
    )  # fmt: skip
    made = PanelPoint(
        organisation=company, period=cell.period, end=end, days=90, value=value * 1e6, scale=1e6, currency="USD",
        cells=(cell,),
    )  # fmt: skip
    return made.model_copy(update=other)


def answered(*series: list[PanelPoint], kind: str = "series") -> Answer:
    question = PanelQuestion.model_validate({"kind": kind, "measure": "revenue"})
    panel = Panel(
        question=question, series=tuple(PanelSeries(organisation=each[0].organisation, points=each) for each in series)
    )
    numbers = {(cell.document_id, cell.table, cell.row): place for place, cell in enumerate(panel.cells, start=1)}
    answer = panel_answer(panel, numbers, {}, "en")
    assert answer is not None
    return answer


def drawn(answer: Answer) -> SeriesChart:
    (chart,) = answer.charts
    return chart


def test_each_company_is_a_line_and_each_point_opens_its_own_cell() -> None:
    chart = drawn(
        answered(
            [point("Acme", end, 10 + place) for place, end in enumerate(QUARTERS)],
            [point("Bolt", end, 20.0) for end in QUARTERS[:3]],
        )
    )
    figure = series_figure(chart, "en").to_plotly_json()
    assert [trace["name"] for trace in figure["data"]] == ["Acme", "Bolt"]
    assert figure["data"][0]["y"] == [10, 11, 12, 13, 14]
    assert figure["data"][1]["customdata"] == [5, 6, 7]
    cells = [each.cell for series in chart.series for each in series.points if each.cell]
    assert cells[6].document_id == "Bolt 2031-06-30"
    assert chart.unit == "USD million"


def test_a_missing_quarter_breaks_the_line_and_has_no_change() -> None:
    answer = answered([point("Acme", QUARTERS[place], 10 + place) for place in (0, 1, 3, 4)])
    values = [each.value for each in drawn(answer).series[0].points]
    assert values == [10, 11, None, 13, 14]
    (trace,) = series_figure(drawn(answer), "en").to_plotly_json()["data"]
    assert trace["connectgaps"] is False
    changes = [line.split(" | ")[2] for line in answer.table.splitlines()[2:6]]
    assert changes == ["–", "+$1 million (+10 %)", "–", "+$1 million (+7.7 %)"]
    assert [line.split(" | ")[3] for line in answer.table.splitlines()[2:6]] == ["–", "–", "–", "+40 %"]


def test_margins_are_drawn_as_percentages_and_change_in_points() -> None:
    answer = answered(
        [
            point("Acme", end, 0).model_copy(update={"value": 0.10 + place / 100, "unit": "%", "decimals": 1})
            for place, end in enumerate(QUARTERS)
        ]
    )
    figure = series_figure(drawn(answer), "he").to_plotly_json()
    assert figure["layout"]["yaxis"]["tickformat"] == ",.0%"
    assert "+1 points" in answer.table


def test_the_axis_of_time_has_its_labels_at_the_ends_of_periods() -> None:
    chart = drawn(answered([point("Acme", end, 10.0) for end in QUARTERS]))
    figure = series_figure(chart, "en")
    assert list(figure.layout.xaxis.tickvals) == [end.isoformat() for end in QUARTERS]
    assert list(figure.layout.xaxis.ticktext)[0::4] == ["Mar 2031", "Mar 2032"]
    long = drawn(answered([point("Acme", QUARTERS[0] + timedelta(91 * place), 10.0) for place in range(40)]))
    assert len(series_figure(long, "en").layout.xaxis.tickvals) <= MOST_TICKS


def test_companies_at_one_period_are_bars() -> None:
    chart = drawn(answered(*[[point(name, QUARTERS[0], 5.0)] for name in ("A", "B", "C")], kind="comparison"))
    assert [trace["type"] for trace in series_figure(chart, "en").to_plotly_json()["data"]] == ["bar"] * 3


def test_what_cannot_share_an_axis_and_two_points_are_not_drawn() -> None:
    whole = [point("Acme", end, 10.0) for end in QUARTERS]
    assert not answered([*whole[:4], point("Acme", QUARTERS[4], 9.0, currency="EUR")]).charts
    assert not answered([*whole[:4], point("Acme", QUARTERS[4], 9.0, days=365)]).charts
    assert not answered(whole[:2]).charts


def test_balances_break_where_a_date_is_left_out() -> None:
    days = [QUARTERS[0], QUARTERS[1], QUARTERS[1] + timedelta(365)]
    chart = drawn(answered([point("Acme", end, 1.0, days=0) for end in days]))
    assert [each.value for each in chart.series[0].points] == [1, 1, None, 1]
