"""Tests panels over made rows: own periods, comparable lengths, formulas, growth, gaps and missing organisations."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.panel.answer import in_one, panel_answer
from core.figures.panel.build import build_panel
from core.figures.panel.lengths import months_compared, of_one_length
from core.figures.panel.question import panel_questions, reworded, with_known_words
from core.figures.panel.records import Panel, PanelQuestion, PanelReport
from core.figures.stored.records import FigureMatch, FigureQuery, StoredFigure
from core.question.analysed import analysed

QUARTERS = {
    "2031-Q1": "Three Months Ended March 31, 2031",
    "2031-Q2": "Three Months Ended June 30, 2031",
    "2031-H1": "Six Months Ended June 30, 2031",
    "2030-Q2": "Three Months Ended June 30, 2030",
    "2030-Q1": "Three Months Ended March 31, 2030",
    "2031-Q4": "Three Months Ended December 31, 2031",
    "2030-Q4": "Three Months Ended December 31, 2030",
    "2031-Q3": "Three Months Ended September 30, 2031",
}


def cell(document: str, label: str, period: str, value: float, row: int) -> StoredFigure:
    return StoredFigure(
        document_id=document, label=label, header=QUARTERS.get(period, period), period=period, value=value, scale=1e6,
        currency="USD", text=f"{value:,.0f}", page=4, table=0, row=row, column=0,
    )  # fmt: skip


class Rows:
    """Finds the rows whose label is the measure."""

    def __init__(self, *cells: StoredFigure) -> None:
        self._cells = cells

    async def find(self, user_id: str, query: FigureQuery) -> Sequence[FigureMatch]:
        return [
            FigureMatch(figure=each, score=1.0)
            for each in self._cells
            if each.label.casefold() == query.measure.casefold() and each.document_id in (query.document_ids or ())
        ]

    async def of_document(self, user_id: str, document_id: str) -> Sequence[StoredFigure]:
        return [each for each in self._cells if each.document_id == document_id]


def reports(*ids: str, annual: bool = False) -> list[PanelReport]:
    return [PanelReport(document_id=id, title=f"Report {id}", organisation="", is_annual=annual) for id in ids]


def said(panel: Panel) -> str:
    answer = panel_answer(panel, numbers_of(panel), {}, "en")
    assert answer is not None
    return f"{answer.line}\n{answer.table}"


def numbers_of(panel: Panel) -> dict[tuple[str, int | None, int | None], int]:
    return {(cell.document_id, cell.table, cell.row): 1 for point in panel.points for cell in point.cells}


async def test_reports_give_their_quarters_and_those_of_the_year_before_and_gaps_are_named() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q1", 100, 0), cell("a", "Revenue", "2030-Q1", 90, 0),
        cell("b", "Revenue", "2031-Q2", 120, 0), cell("b", "Revenue", "2031-H1", 220, 0),
        cell("b", "Revenue", "2030-Q2", 95, 0), cell("c", "Revenue", "2031-Q4", 150, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="series", measure="revenue")
    panel = await build_panel(found, "ada", question, {"Acme": reports("c", "b", "a")})
    assert [(point.period, point.value / 1e6) for point in panel.points] == [
        ("2030-Q1", 90), ("2030-Q2", 95), ("2031-Q1", 100), ("2031-Q2", 120), ("2031-Q4", 150),
    ]  # fmt: skip
    text = said(panel)
    assert "from $90 million" in text
    assert "between 2030-06-30 and 2031-03-31" in text
    assert "between 2031-06-30 and 2031-12-31" in text


async def test_parts_of_a_measure_give_way_to_the_row_that_holds_their_sum() -> None:
    found = Rows(*(cell("a", "Cost of sales", "2031", value, row) for row, value in enumerate((-60, -10, -71))))
    question = PanelQuestion(kind="series", measure="cost of sales")
    panel = await build_panel(found, "ada", question, {"Acme": reports("a", annual=True)})
    assert [point.value / 1e6 for point in panel.points] == [-71]


def of_scope(found: StoredFigure, **other: object) -> StoredFigure:
    return found.model_copy(update=other)


async def test_a_column_of_another_scope_or_unit_is_no_value_of_the_year_before() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q1", 100, 0),
        of_scope(cell("a", "Revenue", "2030-Q1", 90, 0), segment="As reported", column=1),
        of_scope(cell("a", "Revenue", "2030-Q1", 95, 0), segment="At prior year rates", column=2),
        of_scope(cell("a", "Revenue", "2030-Q2", 5, 0), unit="%", currency="", column=3),
        cell("b", "Revenue", "2031-Q2", 120, 0), cell("c", "Revenue", "2031-Q4", 150, 0),
    )  # fmt: skip
    panel = await build_panel(
        found, "ada", PanelQuestion(kind="series", measure="revenue"), {"Acme": reports("c", "b", "a")}
    )
    assert [point.period for point in panel.points] == ["2031-Q1", "2031-Q2", "2031-Q4"]


async def test_a_missing_quarter_follows_from_year_to_date_figures_with_both_cells() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q1", 100, 0), cell("b", "Revenue", "2031-Q2", 120, 0),
        cell("b", "Revenue", "2031-H1", 220, 0), cell("c", "Revenue", "2031-9M", 350, 0),
        cell("c", "Revenue", "2031-Q3", 130, 0), of_scope(cell("y", "Revenue", "2031", 500, 0), parents=("All",)),
    )  # fmt: skip
    year = reports("y", annual=True)[0].model_copy(update={"completes": True})
    panel = await build_panel(
        found, "ada", PanelQuestion(kind="series", measure="revenue"), {"Acme": [*reports("c", "b", "a"), year]}
    )
    assert [(point.period, point.value / 1e6) for point in panel.points] == [
        ("2031-Q1", 100), ("2031-Q2", 120), ("2031-Q3", 130), ("2031-Q4", 150),
    ]  # fmt: skip
    assert [each.document_id for each in panel.points[-1].cells] == ["y", "c"]
    assert "derived: FY2031 − 9M FY2031 = 500 − 350" in said(panel)


@pytest.mark.parametrize(
    "other",
    [
        {"segment": "Europe"},
        {"currency": "EUR"},
        {"parents": ("Discontinued",)},
        {"measure": "earnings per share"},
        {"measure": "cash"},
        {"value": 353.0},
    ],
)
async def test_no_quarter_is_derived_where_scopes_differ(other: dict[str, object]) -> None:
    """In the last case, a printed quarter contradicts the difference, so the row is no sum over time."""
    found = Rows(
        cell("a", "Revenue", "2031-Q1", 100, 0), cell("b", "Revenue", "2031-Q2", 120, 0),
        cell("b", "Revenue", "2031-H1", 220, 0), of_scope(cell("c", "Revenue", "2031-9M", 350, 0), **other),
        of_scope(cell("c", "Revenue", "2031-Q3", 130, 0), **{**other, "value": 130.0}),
        of_scope(cell("y", "Revenue", "2031", 500, 0), parents=("All",)),
    )  # fmt: skip
    year = reports("y", annual=True)[0].model_copy(update={"completes": True})
    panel = await build_panel(
        found, "ada", PanelQuestion(kind="series", measure="revenue"), {"Acme": [*reports("c", "b", "a"), year]}
    )
    assert not [point for point in panel.points if point.is_remainder]


async def test_quarters_take_the_place_of_year_to_date_figures_of_different_lengths() -> None:
    found = Rows(
        cell("a", "Capex", "2031-Q1", 10, 0), cell("b", "Capex", "2031-H1", 25, 0),
        cell("c", "Capex", "2031-9M", 45, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="series", measure="capex")
    panel = await build_panel(found, "ada", question, {"Acme": reports("c", "b", "a")})
    assert [point.value / 1e6 for point in panel.points] == [10, 15, 20]
    without_first = await build_panel(found, "ada", question, {"Acme": reports("c", "b")})
    assert [point.value / 1e6 for point in without_first.points] == [25, 45]
    assert "differ in length" in said(without_first)


async def test_a_day_above_a_flow_of_an_annual_report_ends_its_year_and_missing_years_are_named() -> None:
    dated = [
        of_scope(cell(name, "Revenue", f"{year}-02-01", 100, 0), measure="revenue")
        for name, year in (("a", 2027), ("b", 2028), ("c", 2031))
    ]
    question = PanelQuestion(kind="series", measure="revenue", key="revenue")
    panel = await build_panel(Rows(*dated), "ada", question, {"Acme": reports("c", "b", "a", annual=True)})
    assert [(point.period, point.days > 360) for point in panel.points] == [
        ("2027", True), ("2028", True), ("2031", True),
    ]  # fmt: skip
    assert "between 2028-02-01 and 2031-02-01" in said(panel)


async def test_values_that_two_reports_print_differently_are_both_shown() -> None:
    found = Rows(
        cell("a", "Revenue", "2030-Q1", 90, 0), cell("b", "Revenue", "2031-Q1", 100, 0),
        cell("b", "Revenue", "2030-Q1", 92, 0), cell("c", "Revenue", "2030-Q2", 95, 0),
        cell("d", "Revenue", "2031-Q2", 110, 0), cell("d", "Revenue", "2030-Q2", 95, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="series", measure="revenue")
    panel = await build_panel(found, "ada", question, {"Acme": reports("d", "b", "c", "a")})
    assert [(one.value, two.value) for one, two in panel.series[0].restated] == [(90, 92)]
    assert "$90 million [1] p. 4 and $92 million [1] p. 4" in said(panel)


async def test_a_quarter_is_asked_for_by_the_name_that_its_report_gives_it() -> None:
    found = Rows(
        cell("a", "Revenue", "2030-Q4", 90, 0), cell("b", "Revenue", "2031-Q1", 100, 0),
        cell("c", "Revenue", "2031-Q2", 120, 0),
    )  # fmt: skip
    named = {"a": "2031-Q1", "b": "2031-Q2", "c": "2031-Q3"}
    own = [each.model_copy(update={"periods": (named[each.document_id],)}) for each in reports("c", "b", "a")]
    question = PanelQuestion(kind="series", measure="revenue", periods=("2031-Q1", "2031-Q2"))
    panel = await build_panel(found, "ada", question, {"Acme": own})
    assert [(point.period, point.value / 1e6) for point in panel.points] == [("2031-Q1", 90), ("2031-Q2", 100)]
    assert "give no value" not in said(panel)
    more = question.model_copy(update={"periods": ("2031-Q1", "2031-Q2", "2031-Q3", "2031-Q4")})
    assert "no value of Acme for Q4 FY2031." in said(await build_panel(found, "ada", more, {"Acme": own}))


async def test_a_margin_is_computed_from_the_cells_of_one_period() -> None:
    found = Rows(
        cell("a", "Gross profit", "2031", 40, 1), cell("a", "Revenue", "2031", 100, 0),
        cell("a", "Gross profit", "2030", 30, 1), cell("a", "Revenue", "2030", 90, 0),
        cell("b", "Revenue", "2031", 200, 0), cell("b", "cost of sales", "2031", 150, 1),
    )  # fmt: skip
    question = PanelQuestion(kind="comparison", measure="gross margin", key="gross margin", unit="%")
    groups = {"Acme": reports("a", annual=True), "Bolt": reports("b", annual=True), "Cove": reports("c", annual=True)}
    panel = await build_panel(found, "ada", question, groups)
    assert [(p.organisation, p.period, round(p.value, 3), p.calculation) for p in panel.points] == [
        ("Acme", "2030", 0.333, "30 ÷ 90"), ("Acme", "2031", 0.4, "40 ÷ 100"),
        ("Bolt", "2031", 0.25, "(200 − 150) ÷ 200"),
    ]  # fmt: skip
    assert "Not found for Cove." in said(panel)


async def test_growth_compares_the_same_length_a_year_before() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q2", 120, 0), cell("a", "Revenue", "2030-Q2", 100, 0),
        cell("a", "Revenue", "2031-H1", 220, 0), cell("b", "Revenue", "2031", 150, 0),
        cell("b", "Revenue", "2030", 100, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="growth", measure="revenue", key="revenue", ranks=True)
    groups = {"Acme": reports("a"), "Bolt": reports("b", annual=True)}
    panel = await build_panel(found, "ada", question, groups)
    assert [(p.organisation, round(p.value, 2)) for p in panel.points] == [("Acme", 0.2), ("Bolt", 0.5)]
    assert said(panel).startswith("Bolt grew fastest: revenue +50 %")


async def test_an_organisation_of_another_length_is_looked_up_again_for_the_usual_one() -> None:
    """The release of a fourth quarter prints the year too."""
    found = Rows(
        cell("a", "Revenue", "2031-Q4", 60, 0), cell("a", "Revenue", "2030-Q4", 50, 0),
        cell("a", "Revenue", "2031", 180, 1), cell("a", "Revenue", "2030", 100, 1),
        cell("b", "Revenue", "2031", 150, 0), cell("b", "Revenue", "2030", 100, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="growth", measure="revenue", key="revenue", ranks=True)
    groups = {"Acme": reports("a"), "Bolt": reports("b", annual=True)}
    panel = of_one_length(await build_panel(found, "ada", question, groups))
    assert [point.period for point in panel.unlike] == ["2031-Q4"]
    months = months_compared(panel)
    assert months == 12
    again = await build_panel(found, "ada", question.model_copy(update={"months": months}), {"Acme": groups["Acme"]})
    assert [(point.period, round(point.value, 1)) for point in again.points] == [("2031", 0.8)]


async def test_only_growth_over_periods_of_one_length_is_ranked() -> None:
    """The newest report of Acme is a quarterly one, but it also has an annual report; Cove has only a quarter."""
    found = Rows(
        cell("a", "Revenue", "2031", 130, 0), cell("a", "Revenue", "2030", 100, 0),
        cell("q", "Revenue", "2032-Q1", 90, 0), cell("q", "Revenue", "2031-Q1", 30, 0),
        cell("b", "Revenue", "2031", 150, 0), cell("b", "Revenue", "2030", 100, 0),
        cell("c", "Revenue", "2031-Q2", 900, 0), cell("c", "Revenue", "2030-Q2", 100, 0),
    )  # fmt: skip
    groups = {
        "Acme": [*reports("q"), *reports("a", annual=True)], "Bolt": reports("b", annual=True), "Cove": reports("c"),
    }  # fmt: skip
    question = PanelQuestion(kind="growth", measure="revenue", key="revenue", ranks=True, months=12)
    panel = of_one_length(await build_panel(found, "ada", question, groups))
    assert [(p.organisation, p.period) for p in panel.points] == [("Acme", "2031"), ("Bolt", "2031")]
    text = said(panel)
    assert text.startswith("Bolt grew fastest: revenue +50 %")
    assert (
        "Left out, because these periods have another length: 3 months: Cove (Three Months Ended June 30, 2031)."
        in text
    )
    assert "Not found" not in text
    assert doubt_of(panel) is None


async def test_values_of_other_lengths_than_asked_for_carry_a_warning() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q2", 120, 0), cell("b", "Revenue", "2031", 500, 0),
        cell("c", "Revenue", "2031-Q2", 130, 0),
    )  # fmt: skip
    groups = {"Acme": reports("a"), "Bolt": reports("b", annual=True), "Cove": reports("c")}
    mixed = await build_panel(found, "ada", PanelQuestion(kind="comparison", measure="revenue"), groups)
    assert doubt_of(mixed) is not None
    ranking = PanelQuestion(kind="comparison", measure="revenue", ranks=True, months=12)
    quarters = {name: groups[name] for name in ("Acme", "Cove")}
    assert doubt_of(of_one_length(await build_panel(found, "ada", ranking, quarters))) is not None
    assert doubt_of(of_one_length(await build_panel(found, "ada", ranking, groups))) is not None
    any_length = ranking.model_copy(update={"months": None})
    assert doubt_of(of_one_length(await build_panel(found, "ada", any_length, quarters))) is None


async def test_a_document_gives_the_length_that_is_asked_for() -> None:
    found = Rows(
        cell("a", "Revenue", "2031-Q4", 40, 0), of_scope(cell("a", "Revenue", "2031", 160, 3), table=1),
        of_scope(cell("a", "Revenue", "2030", 100, 3), table=1), cell("a", "Revenue", "2030-Q4", 20, 0),
    )  # fmt: skip
    question = PanelQuestion(kind="growth", measure="revenue", key="revenue", ranks=True, months=12)
    panel = await build_panel(found, "ada", question, {"Acme": reports("a")})
    assert [round(point.value, 2) for point in panel.points] == [0.6]


def doubt_of(panel: Panel) -> object:
    answer = panel_answer(panel, numbers_of(panel), {}, "en")
    assert answer is not None
    return answer.doubt


def test_a_reworded_measure_keeps_the_periods_of_the_question() -> None:
    asked = PanelQuestion(kind="comparison", measure="revenue", key="revenue", periods=("2031",), over_time=True)
    changed = reworded(asked, "operating margin")
    assert (changed.measure, changed.key, changed.unit) == ("operating margin", "operating margin", "%")
    assert (changed.periods, changed.over_time) == (("2031",), True)
    assert reworded(asked, "net income in 2030").periods == ("2030",)
    assert reworded(asked, "revenue in 2030") == asked.model_copy(update={"periods": ("2030",)})


async def test_a_measure_names_no_word_twice() -> None:
    """The words that restrict a measure may be a part of its name too."""
    found = Rows(cell("a", "Technology and content", "2031", 100, 0))
    text = "How has Acme's technology (IT) and content expense changed over the years?"
    question = PanelQuestion(kind="series", measure="technology technology content")
    known = await with_known_words(AnyRow(found), "ada", question, ["a"], text)
    assert known is not None
    assert known.measure == "technology content"
    (asked,) = panel_questions(analysed("Show Acme's operating operating income by quarter"), ["Acme"])
    assert asked.measure == "operating income"


class AnyRow(Rows):
    """Finds all rows for any measure."""

    def __init__(self, rows: Rows) -> None:
        self._cells = rows._cells

    async def find(self, user_id: str, query: FigureQuery) -> Sequence[FigureMatch]:
        return [FigureMatch(figure=each, score=1.0) for each in self._cells]


@given(st.lists(st.integers(1, 10_000), min_size=3, max_size=8))
async def test_no_value_of_a_report_is_lost_or_invented(values: list[int]) -> None:
    cells = [cell(f"d{place}", "Revenue", f"{2010 + place}", value, 0) for place, value in enumerate(values)]
    newest = [each.document_id for each in cells[::-1]]
    panel = await build_panel(
        Rows(*cells), "ada", PanelQuestion(kind="series", measure="revenue"), {"Acme": reports(*newest, annual=True)}
    )
    assert [point.value for point in panel.points] == [value * 1e6 for value in values]


@pytest.mark.parametrize(
    ("text", "named", "kinds"),
    [
        ("How has Acme's revenue changed over the reported quarters?", ["Acme"], ["series"]),
        ("Compare capex and R&D of Acme and Bolt", ["Acme", "Bolt"], ["comparison", "comparison"]),
        ("Which company in my library grew fastest?", [], ["growth"]),
        ("כיצד השתנו ההכנסות של Acme לאורך הרבעונים?", ["Acme"], ["series"]),
        ("How has Acme's revenue changed from 2027 to 2031?", ["Acme"], ["series"]),
        ("How did Acme's revenue change between 2030 and 2031?", ["Acme"], []),
        ("What was Acme's revenue in 2031?", ["Acme"], []),
        ("What drove the change in gross margin of Acme in 2031?", ["Acme"], []),
        ("Who leads Acme?", ["Acme"], []),
    ],
)
def test_only_questions_for_several_values_are_panels(text: str, named: list[str], kinds: list[str]) -> None:
    assert [each.kind for each in panel_questions(analysed(text), named)] == kinds


@pytest.mark.parametrize(
    ("organisation", "measure", "named"),
    [
        ("A. Schulman", "amortization of assets", False),
        ("A. Schulman", "A. Schulman's net sales", True),
        ("Amazon.com", "Amazon net sales", True),
        ("Sal", "net sales", False),
    ],
)
async def test_a_series_names_its_organisation_once(organisation: str, measure: str, named: bool) -> None:
    found = Rows(cell("a", measure, "2031", 100, 0), cell("b", measure, "2030", 90, 0))
    question = PanelQuestion(kind="series", measure=measure)
    panel = await build_panel(found, "ada", question, {organisation: reports("a", "b", annual=True)})
    assert (f" of {organisation}:" in said(panel)) != named


async def test_periods_of_different_length_are_listed_with_their_length() -> None:
    found = Rows(cell("a", "Revenue", "2031-Q2", 120, 0), cell("b", "Revenue", "2031", 500, 0))
    question = PanelQuestion(kind="comparison", measure="revenue")
    panel = await build_panel(found, "ada", question, {"Acme": reports("a"), "Bolt": reports("b", annual=True)})
    assert "3 months: Acme (Three Months Ended June 30, 2031); 12 months: Bolt (FY2031)." in said(panel)


async def test_two_measures_are_drawn_in_one_answer() -> None:
    found = Rows(cell("a", "Revenue", "2031", 100, 0), cell("a", "Net income", "2031", 7, 1))
    answers = []
    for measure in ("revenue", "net income"):
        question = PanelQuestion(kind="comparison", measure=measure)
        panel = await build_panel(found, "ada", question, {"Acme": reports("a", annual=True)})
        answers.append(panel_answer(panel, numbers_of(panel), {}, "en"))
    whole = in_one([each for each in answers if each])
    assert whole.line.startswith("Revenue of Acme: $100 million")
    assert all(part in whole.table for part in ("$100 million", "Net income of Acme: $7 million", "| $7 million"))
    assert [each.text for each in whole.cells] == ["100", "7"]
