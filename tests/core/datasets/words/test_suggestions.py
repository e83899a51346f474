"""Suggests questions that change a query, and only those that the data surely answer."""

from __future__ import annotations

import pandas

from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult, ResultColumn
from core.datasets.words.frames import known_values
from core.datasets.words.suggestions import next_questions
from core.words import Language
from tests.core.datasets.words.test_questions import TEAS

BY_HARBOUR = DataQuery.model_validate(
    {"dataset": "teas", "measures": [{"function": "sum", "column": "Amount"}], "group": [{"column": "Harbour"}]}
)


def _result(query: DataQuery, rows: int = 6, used: int = 400) -> QueryResult:
    columns = (ResultColumn("Harbour", "category", "group"), ResultColumn("sum of Amount", "money", "measure", "EUR"))
    frame = pandas.DataFrame(
        {"Harbour": [f"H{n}" for n in range(rows)], "sum of Amount": [n * 1.5 for n in range(rows)]}
    )
    return QueryResult(
        query=query, datasets=(TEAS,), columns=columns, frame=frame, rows_used=used, rows_total=500
    )  # fmt: skip


def _next(language: Language, rows: int = 6, used: int = 400) -> tuple[list[str], list[DataQuery]]:
    ran: list[DataQuery] = []

    def run(query: DataQuery) -> QueryResult:
        ran.append(query)
        return _result(query, rows, used)

    return next_questions(_result(BY_HARBOUR, rows), [TEAS], known_values, run, language), ran


def test_each_suggestion_is_understood_and_has_a_result() -> None:
    texts, ran = _next("en")
    assert texts == ["And the top 5?", "And by month?", "Only Lisbon?"]
    top, by_month, only = ran
    assert (top.limit, top.order[0].descending, top.group) == (5, True, BY_HARBOUR.group)
    assert by_month.group[0].bucket == "month"
    assert [getattr(each, "value", None) for each in only.where] == ["Lisbon"]


def test_suggestions_are_in_the_language_of_the_question() -> None:
    texts, _ = _next("he")
    assert texts == ["ומה 5 הגדולים ביותר?", "ולפי חודש?", "רק Lisbon?"]


def test_a_question_without_a_result_is_not_suggested() -> None:
    assert _next("en", used=0)[0] == []
