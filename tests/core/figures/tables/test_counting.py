"""Tests counts, lists and choices over the rows and columns of hand-made tables."""

from __future__ import annotations

import asyncio

import pytest

from core.figures.records import Evidence, Origin, TableEvidence
from core.figures.tables.answers import answer_from_tables
from core.language.detection import detect
from core.library.extract.table import table_block
from core.library.tables.decimal_marks import with_decimal_marks
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

SECTIONS = [
    ["(in thousands)", "2021", "2020"],
    ["Running costs:", "", ""],
    ["Rent(1)", "500", "480"],
    ["Wages", "900", "950"],
    ["Total running costs", "1,400", "1,430"],
    ["Other costs:", "", ""],
    ["Repairs", "60", "20"],
    ["Total other costs", "60", "20"],
]
ROLL_FORWARD = [
    ["", "Units", "Price"],
    ["Held at December 31, 2019", "100", "$5.00"],
    ["Granted", "40", "$6.00"],
    ["Sold", "(30)", "$5.50"],
    ["Held at December 31, 2020", "110", "$5.40"],
    ["Granted", "20", "$7.00"],
    ["Sold", "(10)", "$5.60"],
    ["Held at December 31, 2021", "120", "$5.70"],
]
PEOPLE = [["Name", "Age", "Office"], ["Ruth Barak", "51", "Treasurer"], ["Amos Levi", "47", "Head of Procurement"]]
TERMS = [
    ["(in millions)", "Less than 1 year", "1-3 years", "Total"],
    ["Leases", "10", "30", "40"],
    ["Loans", "5", "7", "12"],
]


def answer(question: str, rows: list[list[str]]) -> Answer:
    block = table_block(rows)
    assert block is not None
    table = with_decimal_marks([block])[0].table
    assert table is not None
    evidence = Evidence((TableEvidence(Origin(1, "doc_1"), 0, table, score=1.0),))
    found = asyncio.run(answer_from_tables(AnalysedQuestion(question, detect(question), question), evidence, None))
    assert found, question
    return found[0].answer


def test_the_rows_under_a_heading_without_its_total_and_marks() -> None:
    assert answer("What are the components of running costs?", SECTIONS).value == ["Rent", "Wages"]


def test_how_many_they_are() -> None:
    assert answer("How many components of running costs are there?", SECTIONS).value == 2.0


def test_the_sum_of_what_is_named() -> None:
    found = answer("What is the sum of rent and repairs in 2021?", SECTIONS)
    assert (found.value, found.scale, found.calculation) == (560.0, 1e3, "500 + 60 = 560")


def test_a_flow_between_two_balances_is_of_the_year_that_ends_with_the_second() -> None:
    assert answer("How many units were granted in 2021?", ROLL_FORWARD).value == 20.0
    assert answer("What was the change in units granted from 2020 to 2021?", ROLL_FORWARD).value == -20.0


def test_what_is_taken_away_is_an_amount_of_the_whole() -> None:
    assert answer("What are the units sold in 2021 as a percentage of the units held in 2021?", ROLL_FORWARD).value == (
        pytest.approx(8.333333)
    )


def test_who_holds_an_office() -> None:
    assert answer("Who is the treasurer?", PEOPLE).value == "Ruth Barak"


def test_columns_that_are_no_periods_are_chosen_by_their_words() -> None:
    assert answer("What are the leases due in less than one year?", TERMS).value == 10.0
    assert answer("What are the loans due in 1 to 3 years?", TERMS).value == 7.0


@pytest.mark.parametrize(
    ("question", "value"),
    [("Which cost was the highest in 2020?", "Wages"), ("איזה סעיף היה הגבוה ביותר ב-2020?", "Wages")],
)
def test_the_largest_row(question: str, value: str) -> None:
    assert answer(question, SECTIONS).value == value


@pytest.mark.parametrize("total", ["Summe", "Итого", "All branches together"])
def test_a_total_is_never_the_largest_of_its_parts(total: str) -> None:
    rows = [["Branch", "Sales", "Costs"], ["North", "120", "80"], ["South", "300", "90"], [total, "420", "170"]]
    assert answer("Which branch has the largest sales?", rows).value == "South"


def test_raised_marks_are_no_digits_of_figures_heads_and_labels() -> None:
    rows = [["", "2025¹", "2024"], ["Revenue¹", "$4,512¹", "$4,100"], ["Operating profit", "38²", "21ᵃ"]]
    assert answer("What was the operating profit in 2025?", rows).value == 38.0
    assert answer("What was the revenue in 2025?", rows).line == "Revenue, 2025: $4,512 [1]"
    assert answer("By how much did operating profit rise from 2024 to 2025?", rows).value == 17.0


GERMAN = [
    ["Artikel", "Menge", "Umsatz"],
    ["Schraube", "1.200", "180,00"],
    ["Mutter", "3.500", "280,00"],
    ["Bolzen", "950", "1.187,50"],
    ["Summe", "5.650", "1.647,50"],
]


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("What is the Umsatz of Bolzen?", "Umsatz (Bolzen): 1,187.50 [1]"),
        ("Wie hoch ist die Summe des Umsatzes?", "Summe: 1,647.50 [1]"),
        ("What is the total Umsatz?", "Umsatz (Summe): 1,647.50 [1]"),
        ("Welcher Artikel hat die größte Menge?", "Mutter: 3,500 (Menge, the largest of 3) [1]"),
    ],
)
def test_a_german_table(question: str, line: str) -> None:
    assert answer(question, GERMAN).line == line


METERS = [
    ["Meter", "Street", "Kind", "Reading"],
    ["M-1", "Elm Street", "Gas", "15,949"],
    ["M-2", "Ash Street", "Water", "24,163"],
    ["M-3", "Elm Street", "Water", "38,163"],
    ["Total", "", "", "78,275"],
]
PARTS = [
    ["", "2025", "2024"],
    ["Revenue", "4,512", "4,130"],
    ["Operating profit", "38", "21"],
    ["Employees", "614", "590"],
]


def test_what_no_table_speaks_of_is_not_counted() -> None:
    for question, rows in (
        ("How many elephants are there?", METERS),
        ("How many branches are there?", PARTS),
        ("How many smart meters are there?", METERS),
    ):
        block = table_block(rows)
        assert block is not None
        assert block.table is not None
        evidence = Evidence((TableEvidence(Origin(1, "doc_1"), 0, block.table, score=1.0),))
        found = asyncio.run(answer_from_tables(AnalysedQuestion(question, "en", question), evidence, None))
        assert [each.answer.value for each in found] == []


@pytest.mark.parametrize(
    ("question", "rows", "value"),
    [
        ("How many meters are there?", METERS, 3.0),
        ("How many streets are there?", METERS, 2.0),
        ("How many different kinds are there?", METERS, 2.0),
        ("How many water meters are there?", METERS, 2.0),
        ("How many employees are there?", PARTS, 614.0),
    ],
)
def test_things_are_counted_where_the_table_names_them(question: str, rows: list[list[str]], value: float) -> None:
    assert answer(question, rows).value == value
