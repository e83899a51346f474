from dataclasses import replace

import pytest

from core.question.analysed import analysed
from core.question.known_entities import KnownPeriod
from core.question.subject import KnownDocument, subject_of

ANNUAL_30 = KnownDocument(
    "a30", "nordwind_2030.pdf", names=("Nordwind Corp.", "Nordwind", "NWD"), periods=("2030",), kind="annual report"
)
ANNUAL_31 = KnownDocument(
    "a31", "nordwind_2031.pdf", names=("Nordwind Corp.", "Nordwind", "NWD"), periods=("2031",), kind="annual report"
)
QUARTER = KnownDocument("q31", "nordwind_q2.pdf", names=("Nordwind",), periods=("2031-Q2",), kind="quarterly report")
REPORTED = KnownDocument("r31", "nordwind_8k.pdf", names=("Nordwind",), dated="2031-05-06", kind="current report")
OTHER = KnownDocument("t31", "tea.pdf", names=("Tea House", "Tea"), periods=("2031",), kind="annual report")
LEASE = KnownDocument("l", "lease.pdf", names=("Bruno Keller",), periods=("2031-01-05",), kind="contract")
PLAIN = KnownDocument("p", "policy.docx")
LIBRARY = [ANNUAL_30, ANNUAL_31, QUARTER, REPORTED, OTHER, PLAIN, LEASE]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("What were Nordwind's sales in FY2031?", ["a31"]),
        ("What were nordwind's sales in fiscal 2030?", ["a30"]),
        ("How did NWD do in Q2 of FY2031?", ["q31"]),
        ("How did sales of Nordwind change from FY2030 to FY2031?", ["a31"]),
        ("What did Nordwind agree to on May 3, 2031?", ["r31"]),
        ("What does the 8-K of Nordwind say?", ["r31"]),
        ("What does Nordwind make?", ["a30", "a31", "q31", "r31"]),
        ("What does Nordwind expect of 2032?", ["a31"]),
        ("What were sales of Nordwind in 2029?", ["a30"]),
        ("Who runs the tea house?", ["t31"]),
        ("Do we serve tea?", []),
        ("What was paid to Bruno Keller?", []),
        ("What is the mileage rate?", []),
        ("מה היו המכירות של נורדווינד בשנת 2030?", ["a30"]),
        ("כמה מכר נורדווינד ב-2031?", ["a31"]),
        ("What were sales of the Tea House and of Nordwind in 2031?", ["a31", "t31"]),
    ],
)
def test_what_is_named_binds(question: str, bound: list[str]) -> None:
    assert sorted(subject_of(analysed(question), LIBRARY).document_ids) == bound


def test_a_period_alone_leaves_out_other_periods_and_never_documents_of_none() -> None:
    bound = subject_of(analysed("What is the rate in 2030?"), LIBRARY).document_ids
    assert "a30" in bound
    assert "p" in bound
    assert "q31" not in bound
    assert "l" in bound


def test_what_a_filter_stands_for_is_not_looked_for_within_it() -> None:
    assert subject_of(analysed("What were Nordwind's sales in FY2031?"), LIBRARY).focus.asked == "What were sales in ?"
    assert subject_of(analysed("What were Northwind's sales?"), LIBRARY).focus.asked == "What were Northwind's sales?"


def test_without_a_period_the_present_is_meant() -> None:
    assert subject_of(analysed("What does Nordwind make?"), LIBRARY).newest == {"a31"}
    assert subject_of(analysed("What did Nordwind make in 2030?"), LIBRARY).newest == frozenset()


def test_a_quarter_is_first_what_a_report_calls_so_itself() -> None:
    own = replace(
        QUARTER, id="own", covered=(KnownPeriod("2031-Q2", ("2031-Q2", "2031-Q1")),), periods=("2031-Q1", "2031-Q2")
    )
    calendar = replace(
        own, id="next", covered=(KnownPeriod("2031-Q3", ("2031-Q3", "2031-Q2")),), periods=("2031-Q2", "2031-Q3")
    )
    question = "What were sales of Nordwind in Q2 2031?"
    assert subject_of(analysed(question), [own, calendar]).document_ids == ("own",)
    assert subject_of(analysed(question), [calendar, OTHER]).document_ids == ("next",)


def test_initials_are_heard_in_small_letters_between() -> None:
    known = [replace(ANNUAL_31, names=("Johan & Jonas", "J&J", "JnJ"))]
    assert subject_of(analysed("What were the sales of JNJ in 2031?"), known).document_ids == ("a31",)
