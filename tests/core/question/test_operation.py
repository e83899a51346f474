"""Tests which operation a question about figures requests, in both languages."""

from __future__ import annotations

import pytest

from core.question.operation import Bound, read_question


@pytest.mark.parametrize(
    ("question", "operation", "phrases"),
    [
        ("What was the change in rent from 2018 to 2019?", "change", ("rent",)),
        ("How much did rent increase between 2018 and 2019?", "change", ("rent",)),
        ("What is the percentage change in rent in 2019?", "percentage change", ("rent",)),
        ("By what percentage did rent grow from 2018 to 2019?", "percentage change", ("rent",)),
        ("What percentage of total costs was rent in 2019?", "share", ("rent", "total costs")),
        ("What is rent as a percentage of total costs?", "share", ("rent", "total costs")),
        ("What is the ratio of rent to wages in 2019?", "ratio", ("rent", "wages")),
        ("What is the difference between rent and wages?", "difference", ("rent", "wages")),
        ("What was the average rent over the 3 years?", "average", ("rent",)),
        ("What is the sum of rent and wages in 2019?", "sum", ("rent and wages",)),
        ("In which year was rent the highest?", "which period", ("rent",)),
        ("Which years does the table provide information for rent?", "periods", ("rent",)),
        ("How many years did rent exceed $5 million?", "count periods", ("rent",)),
        ("What are the components of operating costs?", "parts", ("operating costs",)),
        ("Did rent decrease from 2018 to 2019?", "trend", ("rent",)),
        ("What was rent in 2019?", "value", ("rent",)),
        ("מה השינוי בשכר הדירה מ-2018 ל-2019?", "change", ("שכר הדירה",)),
        ("בכמה אחוזים גדל שכר הדירה בין 2018 ל-2019?", "percentage change", ("שכר הדירה",)),
        ("מה הממוצע של שכר הדירה בשנים 2018 ו-2019?", "average", ("שכר הדירה",)),
        ("באיזו שנה שכר הדירה היה הגבוה ביותר?", "which period", ("שכר הדירה",)),
    ],
)
def test_operation_and_what_is_looked_for(question: str, operation: str, phrases: tuple[str, ...]) -> None:
    asked = read_question(question)
    assert asked.operation == operation
    assert len(asked.phrases) == len(phrases)
    for found, wanted in zip(asked.phrases, phrases, strict=True):
        assert wanted in found


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        ("from 2017 to 2019", ("2017", "2019")),
        ("in 2018/2019 against 2017/2018", ("2019", "2018")),
        ("at June 30 and December 31, 2019", ("2019-06-30", "2019-12-31")),
        ("in FY18 and FY2019", ("2018", "2019")),
    ],
)
def test_periods(question: str, keys: tuple[str, ...]) -> None:
    assert read_question(f"What was rent {question}?").periods.keys() == keys


def test_a_range_knows_that_it_runs_through_the_years_between() -> None:
    assert read_question("What was the average rent from 2017 to 2019?").periods.spans
    assert not read_question("What was the average rent in 2017 and 2019?").periods.spans


@pytest.mark.parametrize(
    ("question", "bound"),
    [
        ("In which years was rent more than 5 million?", Bound("more", 5e6, scaled=True)),
        ("In which years was rent less than $1,200?", Bound("less", 1200.0)),
        ("How many years did the share exceed 20%?", Bound("more", 20.0, percent=True)),
    ],
)
def test_bounds(question: str, bound: Bound) -> None:
    assert read_question(question).bound == bound


def test_wishes() -> None:
    wish = read_question("What was rent in 2019 (in USD millions), rounded to two decimal places?").wish
    assert (wish.scale, wish.decimals) == (1e6, 2)
    assert read_question('מה היה שכר הדירה ב-2019 באלפי ש"ח?').wish.scale == 1e3


def test_words_are_wanted_and_not_a_figure() -> None:
    assert read_question("Why did rent increase in 2019?").wordy
    assert not read_question("What was the rent in 2019?").wordy
