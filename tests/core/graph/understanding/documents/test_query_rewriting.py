"""Tests that a question that depends on the previous one is completed, and an independent one is left unchanged."""

from __future__ import annotations

from datetime import date

import pytest

from core.graph.state import LastAsked
from core.graph.understanding.documents.query_rewriting import complete
from core.question.known_entities import KnownDocument, KnownPeriod

TODAY = date(2040, 3, 1)


def report(identifier: str, names: tuple[str, ...], key: str, kind: str = "annual report") -> KnownDocument:
    covered = (KnownPeriod(key, (key,)),)
    return KnownDocument(identifier, f"{identifier}.pdf", names=names, periods=(key,), kind=kind, covered=covered)


NORDWIND, TEA = ("Nordwind Corp.", "Nordwind", "NWD"), ("TeaHouse, Inc.", "TeaHouse")
LIBRARY = [
    report("n29", NORDWIND, "2029"),
    report("n30", NORDWIND, "2030"),
    report("n31", NORDWIND, "2031"),
    report("nq", NORDWIND, "2032-Q2", "quarterly report"),
    report("t30", TEA, "2030"),
    KnownDocument("p", "travel policy.docx", "Travel policy"),
]
ONE = [each for each in LIBRARY if each.id != "t30"]
ASKED = "What was Nordwind's revenue in FY2030?"


def said(question: str, before: str | None = ASKED, library: list[KnownDocument] = LIBRARY) -> str:
    last = LastAsked(text=before) if before else None
    found = complete(question, last, library, TODAY)
    return found.text if found else question


@pytest.mark.parametrize(
    ("question", "full"),
    [
        ("And in the year before?", "What was Nordwind's revenue in FY2029?"),
        ("and 2031?", "What was Nordwind's revenue in 2031?"),
        ("ומה ב-2029?", "What was Nordwind's revenue in 2029?"),
        ("ושנה קודם?", "What was Nordwind's revenue in FY2029?"),
        ("And for TeaHouse?", "What was TeaHouse's revenue in FY2030?"),
        ("what about operating income?", "What was Nordwind's operating income in FY2030?"),
        ("And TeaHouse's in 2031?", "What was TeaHouse's revenue in 2031?"),
        ("How much goodwill did it have?", "How much goodwill did it have (Nordwind, FY2030)?"),
        ("Who are its auditors?", "Who are its auditors (Nordwind, FY2030)?"),
        ("How did it change from last year?", "How did Nordwind's revenue change from FY2029 in FY2030?"),
        ("By how much did it grow, in per cent?", "By how much did Nordwind's revenue grow, in per cent in FY2030?"),
        ("What was the change?", "What was the change in revenue of Nordwind in FY2030?"),
        ("בכמה אחוזים הן גדלו?", "בכמה אחוזים הן גדלו revenue של Nordwind ב-FY2030?"),
        ("What was net income?", "What was Nordwind's net income in FY2030?"),
    ],
)
def test_what_is_left_out_is_taken_over(question: str, full: str) -> None:
    assert said(question) == full


@pytest.mark.parametrize(
    ("question", "full"),
    [
        (
            "Nordwind's sales in Q2 2031 compared with a year earlier?",
            "Nordwind's sales in Q2 2031 compared with Q2 2030?",
        ),
        ("Nordwind's sales in Q2 2031 and the same quarter last year?", "Nordwind's sales in Q2 2031 and Q2 2030?"),
        ("Nordwind's sales in Q2 2031 versus the prior-year quarter?", "Nordwind's sales in Q2 2031 versus Q2 2030?"),
        ("Did Nordwind sell more in Q2 2031 than last year?", "Did Nordwind sell more in Q2 2031 than Q2 2030?"),
        (
            "Nordwind's sales in the six months ended June 30, 2031 against the same period a year ago?",
            "Nordwind's sales in the six months ended June 30, 2031 against 6 months ended 2030-06-30?",
        ),
        (
            "מה היו ההכנסות של Nordwind ברבעון השני של 2031 לעומת שנה קודם לכן?",
            "מה היו ההכנסות של Nordwind ברבעון השני של 2031 לעומת Q2 2030?",
        ),
        (
            "ההכנסות של Nordwind ברבעון השני של 2031 לעומת הרבעון המקביל אשתקד?",
            "ההכנסות של Nordwind ברבעון השני של 2031 לעומת Q2 2030?",
        ),
        (
            "Nordwind's sales in FY2031 compared with a year earlier?",
            "Nordwind's sales in FY2031 compared with FY2030?",
        ),
    ],
)
def test_a_year_earlier_is_the_same_part_of_the_year_before(question: str, full: str) -> None:
    assert said(question, None) == full


def test_a_follow_up_about_a_year_earlier_keeps_the_quarter() -> None:
    asked = "What was Nordwind's revenue in Q2 2031?"
    assert said("And a year earlier?", asked) == "What was Nordwind's revenue in Q2 2030?"
    assert said("ושנה קודם לכן?", asked) == "What was Nordwind's revenue in Q2 2030?"


@pytest.mark.parametrize(
    "question",
    [
        "How long should I boil an egg?",
        "What was TeaHouse's net income in 2030?",
        "Which company had the highest revenue in 2030?",
        "What does the travel policy say about hotels?",
        'What does @"Travel policy" say about it?',
        "Who wrote The Long Winter?",
    ],
)
def test_a_question_that_stands_by_itself_takes_over_nothing(question: str) -> None:
    assert said(question) == question


def test_without_a_question_before_nothing_is_taken_over() -> None:
    assert said("And in the year before?", None) == "And in the year before?"
    assert said("What was net income?", None) == "What was net income?"


def test_what_was_taken_over_is_told() -> None:
    found = complete("And for TeaHouse?", LastAsked(text=ASKED), LIBRARY, TODAY)
    assert found is not None
    assert set(found.carried) == {"period", "metric"}
    before = complete("And in the year before?", LastAsked(text=ASKED), LIBRARY, TODAY)
    assert before is not None
    assert set(before.carried) == {"organisation", "metric"}
    assert before.relative == {"2029": "the year before"}


def test_a_document_that_was_chosen_tells_whose_the_question_was() -> None:
    last = LastAsked(text="What was revenue in 2030?", document_ids=["n30"])
    found = complete("And in 2031?", last, LIBRARY, TODAY)
    assert found is not None
    assert found.text == "What was revenue in 2031 for Nordwind?"
    several = LastAsked(text="What was revenue in 2030?", document_ids=["n30", "t30"])
    other = complete("And in 2031?", several, LIBRARY, TODAY)
    assert other is not None
    assert other.text == "What was revenue in 2031?"


@pytest.mark.parametrize(
    ("question", "full"),
    [
        ("What was Nordwind's revenue last year?", "What was Nordwind's revenue in FY2031?"),
        ("What was Nordwind's revenue in the last fiscal year?", "What was Nordwind's revenue in FY2031?"),
        ("Was Nordwind's revenue higher than last year?", "Was Nordwind's revenue higher in FY2031 than FY2030?"),
        ("What was Nordwind's revenue in Q2?", "What was Nordwind's revenue in Q2 2032?"),
        ("מה היו ההכנסות של Nordwind ברבעון השני?", "מה היו ההכנסות של Nordwind ב-Q2 2032?"),
        ("How did Nordwind do this year?", "How did Nordwind do in FY2032?"),
        ("מה היו ההכנסות של Nordwind בשנה שעברה?", "מה היו ההכנסות של Nordwind ב-FY2031?"),
        ("Nordwind's revenue in 2030 and in the year before?", "Nordwind's revenue in 2030 and in FY2029?"),
    ],
)
def test_relative_periods_are_those_of_the_newest_report(question: str, full: str) -> None:
    assert said(question, None) == full


def test_where_several_organisations_report_a_relative_period_waits_for_one() -> None:
    assert said("How did revenue develop last year?", None) == "How did revenue develop last year?"
    assert said("How did revenue develop last year?", None, ONE) == "How did revenue develop in FY2031?"


def test_without_reports_the_calendar_decides() -> None:
    assert said("What was spent on revenue last year?", None, [LIBRARY[-1]]) == "What was spent on revenue in 2039?"
