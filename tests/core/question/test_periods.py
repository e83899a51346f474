"""Tests the periods in a question: several in one year, and years written as two numbers ("2031/32")."""

import pytest

from core.question.periods import periods_asked


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("What was cash at June 30 and December 31, 2031?", ("2031-06-30", "2031-12-31")),
        ("cash at March 31, June 30, and the September 30, 2031", ("2031-03-31", "2031-06-30", "2031-09-30")),
        ("cash at June 30, 2030 and December 31, 2031", ("2030-06-30", "2031-12-31")),
        ("cash at Jun 30 to Dec 31, 2031", ("2031-06-30", "2031-12-31")),
        ("sales of the first and third quarter of 2031", ("2031-Q1", "2031-Q3")),
        ("sales of the first, second and third quarters of 2031", ("2031-Q1", "2031-Q2", "2031-Q3")),
        ("was the first quarter better than the third quarter in 2031", ("2031-Q1", "2031-Q3")),
        ("In 2031, were the first and the second quarter alike", ("2031", "2031-Q1", "2031-Q2")),
        ("the third quarter in 2031", ("2031-Q3",)),
        ("sales of 2031/32", ("2032",)),
        ("sales of 2031/2032 and of 2030", ("2032", "2030")),
        ("What may they do in 2031?", ("2031",)),
    ],
)
def test_periods_are_named_with_their_year(question: str, keys: tuple[str, ...]) -> None:
    assert periods_asked(question).keys() == keys


def test_a_day_of_another_clause_does_not_take_the_year() -> None:
    assert periods_asked("By June 30 what had been sold, and on December 31, 2031?").keys() == ("2031-12-31",)
