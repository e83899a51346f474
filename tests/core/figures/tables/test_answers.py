"""Tests answers from hand-made tables, in English and Hebrew."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.figures.quarters import OwnQuarter
from core.figures.records import Candidate, Evidence, Origin, TableEvidence
from core.figures.tables.answers import answer_from_tables
from core.figures.tables.confidence import HIGH
from core.language.detection import detect
from core.library.extract.table import table_block
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

SALES = [
    ["(in millions)", "2021", "2020", "2019"],
    ["Kitchens", "$120.5", "$100.0", "$80.0"],
    ["Bathrooms", "40.0", "50.0", "45.0"],
    ["Other", "(2.5)", "1.0", "—"],
    ["Total net sales", "$158.0", "$151.0", "$125.0"],
]
HEBREW = [
    ['באלפי ש"ח', "2021", "2020"],
    ["הכנסות ממכירות", "1,200", "1,000"],
    ["עלות המכר", "700", "650"],
    ["רווח גולמי", "500", "350"],
]


def evidence(*tables: list[list[str]]) -> Evidence:
    found = []
    for index, rows in enumerate(tables):
        block = table_block(rows)
        assert block is not None
        assert block.table is not None
        found.append(TableEvidence(Origin(1, "doc_1"), index, block.table, "itm_1", score=1.0))
    return Evidence(tuple(found))


def candidates(question: str, *tables: list[list[str]]) -> list[Candidate]:
    asked = AnalysedQuestion(question, detect(question), question)
    return asyncio.run(answer_from_tables(asked, evidence(*tables), None))


def answer(question: str, *tables: list[list[str]]) -> Answer:
    found = candidates(question, *tables)
    assert found, question
    return found[0].answer


@pytest.mark.parametrize(
    ("question", "value", "unit", "scale"),
    [
        ("What were kitchens in 2020?", 100.0, None, 1e6),
        ("What was the change in bathrooms from 2020 to 2021?", -10.0, None, 1e6),
        ("What was the percentage change in kitchens between 2019 and 2020?", 25.0, "%", 1.0),
        ("What percentage of total net sales was kitchens in 2020?", 66.225166, "%", 1.0),
        ("Kitchens as a ratio of bathrooms in 2020?", 2.0, None, 1.0),
        ("What were the average sales of bathrooms for 2019, 2020 and 2021?", 45.0, None, 1e6),
        ("What is the sum of kitchens and bathrooms in 2019?", 125.0, None, 1e6),
        ("What is the difference between kitchens and bathrooms in 2021?", 80.5, None, 1e6),
        ("How many years did total net sales exceed $140 million?", 2.0, None, 1.0),
    ],
)
def test_figures_of_one_table(question: str, value: float, unit: str | None, scale: float) -> None:
    found = answer(question, SALES)
    assert (found.value, found.unit, found.scale) == (value, unit, scale)


def test_a_figure_says_where_it_stands() -> None:
    found = answer("What were total net sales in 2021?", SALES)
    assert found.line == "Total net sales, 2021: $158.0 million [1]"
    assert [(cell.row, cell.column, cell.text, cell.period) for cell in found.cells] == [(3, 0, "$158.0", "2021")]
    assert found.cells[0].item_id == "itm_1"


def test_a_calculation_is_shown() -> None:
    found = answer("What was the change in other in 2021 from 2020?", SALES)
    assert found.calculation == "−2.5 − 1.0 = −3.5"
    assert [cell.text for cell in found.cells] == ["(2.5)", "1.0"]


def test_several_values_keep_the_order_asked() -> None:
    assert answer("What was kitchens in 2019 and 2021 respectively?", SALES).value == [80.0, 120.5]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("In which year was bathrooms the largest?", "2020"),
        ("Which year had the lowest total net sales?", "2019"),
        ("In which years were bathrooms more than 42 million?", ["2020", "2019"]),
        ("Which category had the highest sales in 2021?", "Kitchens"),
        ("Did kitchens increase from 2020 to 2021?", "yes"),
    ],
)
def test_choices(question: str, value: str | list[str]) -> None:
    assert answer(question, SALES).value == value


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("מה היו ההכנסות ממכירות בשנת 2021?", 1200.0, None),
        ("בכמה אחוזים גדל רווח גולמי מ-2020 ל-2021?", 42.857143, "%"),
        ("מה ההפרש בין רווח גולמי לבין עלות המכר ב-2020?", 300.0, None),
    ],
)
def test_hebrew(question: str, value: float, unit: str | None) -> None:
    found = answer(question, HEBREW)
    assert (found.value, found.unit) == (value, unit)


def test_nothing_of_it_is_there() -> None:
    found = candidates("Who chairs the audit committee?", SALES)
    assert not [each for each in found if each.answer.doubt is None]


def test_negative_and_change_rows_are_not_confused() -> None:
    rows = [["", "2021", "2020"], ["Net decrease in cash", "(30)", "(20)"], ["Cash at end of year", "70", "100"]]
    assert answer("What was the net decrease in cash in 2021?", rows).value == -30.0


def test_a_row_is_found_by_its_meaning_and_never_beyond_doubt() -> None:
    async def similar(phrase: str, texts: Sequence[str]) -> list[float]:
        return [0.9 if text == "Bathrooms" else 0.2 for text in texts]

    text = "What were washrooms in 2020?"
    asked = AnalysedQuestion(text, "en", text)
    found = asyncio.run(answer_from_tables(asked, evidence(SALES), similar))
    assert found[0].answer.value == 50.0
    assert found[0].answer.doubt is not None
    assert not [each for each in candidates(text, SALES) if each.answer.value == 50.0]


def test_a_rate_that_a_label_states_is_no_unit_of_its_row() -> None:
    rows = [["(in millions)", "2021", "2020"], ["Short-term loans (0.5% and 0.7%)", "310", "290"]]
    found = answer("What were the short-term loans in 2021?", rows)
    assert (found.value, found.unit, found.scale) == (310.0, None, 1e6)


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("three months", "six months"),
        ("three months", "nine months"),
        ("12 weeks", "36 weeks"),
        ("16 weeks", "40 weeks"),
        ("13 weeks", "26 weeks"),
    ],
)
@pytest.mark.parametrize("joint", ["ended", "to"])
def test_of_two_spans_to_one_day_the_one_that_is_as_long_is_taken(short: str, long: str, joint: str) -> None:
    day = "September 30, 2031"
    spans = [
        ["(in millions)", f"{short.title()} Ended {day}", f"{long.title()} Ended {day}"],
        ["Harbour dues", "$7", "$15"],
    ]
    assert answer(f"What were harbour dues in the {short} {joint} {day}?", spans).value == 7
    assert answer(f"What were harbour dues in the {long} {joint} {day}?", spans).value == 15


QUARTERS = [
    ["(in millions)", "Three Months Ended July 1, 2031", "Three Months Ended June 26, 2030",
     "Nine Months Ended July 1, 2031", "Nine Months Ended June 26, 2030"],
    ["Repairs", "$212", "$196", "$628", "$589"],
    ["Rentals", "396", "406", "1,567", "1,628"],
]  # fmt: skip


def of_third_quarter(question: str, rows: list[list[str]]) -> Candidate:
    """Asks about a report whose year ends in September: its third quarter ends in June."""
    origin = Origin(1, "doc_q", periods=("2031-Q2", "2031-Q3"), quarter=OwnQuarter("2031-Q3", "2031-07-01"))
    tables = tuple(replace(each, origin=origin) for each in evidence(rows).tables)
    asked = AnalysedQuestion(question, detect(question), question)
    return asyncio.run(answer_from_tables(asked, Evidence(tables), None))[0]


@pytest.mark.parametrize(
    ("question", "value", "line"),
    [
        ("Repairs in Q3 2031?", 212.0, "Q3 2031"),
        ("Repairs in Q3 2030?", 196.0, "Q3 2030"),
        ("Repairs in Q3 2030 and Q3 2031?", [196.0, 212.0], "Q3 2030: $196 million; Q3 2031: $212 million"),
        ("Rentals in the nine months ended July 1, 2031?", 1567.0, "9M 2031"),
        ("הכנסות Repairs ברבעון השלישי של 2031?", 212.0, "Q3 2031"),
    ],
)
def test_a_quarter_is_found_under_the_name_that_its_report_gives_it(question: str, value: object, line: str) -> None:
    found = of_third_quarter(question, QUARTERS).answer
    assert found.value == value
    assert line in found.line


def test_nine_months_are_never_the_sure_answer_for_a_quarter() -> None:
    only_nine = [[row[0], *row[3:]] for row in QUARTERS]
    found = of_third_quarter("Repairs in Q3 2031?", only_nine)
    assert found.answer.doubt is not None
    assert found.sureness < HIGH
