from __future__ import annotations

from itertools import islice

import pytest

from core.library.tables.records import Cell, Column, Row, Table
from core.review.actions.table_questions import CitedTables, PastQuestions, row_questions
from core.words import Language


def table(*labels: str, periods: tuple[str, ...] = ("2022", "2021")) -> Table:
    cells = [Cell(text="1", kind="number", value=1.0) for _ in periods]
    return Table(
        columns=[Column(header=[each], period=each) for each in periods],
        rows=[Row(label=label, cells=cells) for label in labels],
    )


def asked_of(found: Table, *said: str, language: Language = "en", organisation: str = "Northwind Water") -> list[str]:
    held = CitedTables(organisation, "annual report", "FY2022", (found,))
    return list(islice(row_questions(held, PastQuestions.of(said), language), 4))


def test_figures_are_asked_for_by_what_people_call_them() -> None:
    assert asked_of(table("Purchases of property, plant and equipment", "Dividends paid")) == [
        "How did Northwind Water's capital expenditure change from FY2021 to FY2022?",
        "What were Northwind Water's dividends paid in FY2022?",
    ]


def test_what_was_asked_or_just_answered_is_not_asked_for_again() -> None:
    rows = table("Purchases of property, plant and equipment", "Dividends paid", "Net income")
    said = ("What was its capex?", "> Net income | $12 | $11 [1]")
    assert asked_of(rows, *said) == ["How did Northwind Water's dividends paid change from FY2021 to FY2022?"]


def test_other_rows_are_asked_for_by_their_labels_after_the_figures() -> None:
    rows = table("Total", "Litres pumped", "Net income", "Pipe breaks (a)", "2022", "Other, net")
    assert asked_of(rows) == [
        "How did Northwind Water's net income change from FY2021 to FY2022?",
        "How did Northwind Water's litres pumped change from FY2021 to FY2022?",
        "How did Northwind Water's pipe breaks change from FY2021 to FY2022?",
    ]


def test_a_label_that_is_a_date_is_no_figure() -> None:
    assert asked_of(table("As of January", "Balance, end of year", "Litres pumped")) == [
        "How did Northwind Water's litres pumped change from FY2021 to FY2022?"
    ]


def test_of_one_period_there_is_no_change() -> None:
    assert asked_of(table("Net income", periods=("2022-Q2",))) == ["What was Northwind Water's net income in Q2 2022?"]


def test_a_table_without_periods_and_rows_without_figures_give_nothing() -> None:
    bare = Table(columns=[Column(header=["Limit"])], rows=[Row(label="Lodging", cells=[Cell(text="1", value=1.0)])])
    empty = Table(columns=[Column(header=["2022"], period="2022")], rows=[Row(label="Net income", cells=[Cell()])])
    assert asked_of(bare) == asked_of(empty) == []


@pytest.mark.parametrize(
    ("label", "question"),
    [
        ("Net income", "מה השינוי ברווח נקי של Northwind Water בין FY2021 ל־FY2022?"),
        ("Repurchases of common stock", "מה השינוי ברכישה עצמית של מניות של Northwind Water בין FY2021 ל־FY2022?"),
        ("Litres pumped", "מה השינוי ב־litres pumped של Northwind Water בין FY2021 ל־FY2022?"),
    ],
)
def test_in_hebrew(label: str, question: str) -> None:
    assert asked_of(table(label), language="he") == [question]


def test_of_its_names_the_one_that_says_all_of_it_is_taken() -> None:
    assert "cash flow from investing" in asked_of(table("Net cash used for investing activities"))[0]


def test_without_an_organisation_the_figure_stands_alone() -> None:
    assert asked_of(table("Net income"), organisation="") == ["How did net income change from FY2021 to FY2022?"]
