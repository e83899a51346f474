"""Tests which of several tables a question means, and how certain the answer then is."""

from __future__ import annotations

import asyncio

import pytest

from core.figures.records import Candidate, Evidence, Origin, TableEvidence, TextEvidence
from core.figures.tables.answers import answer_from_tables
from core.library.extract.table import table_block
from core.question.analysed import AnalysedQuestion

STATEMENT = [
    ["(in millions)", "2021", "2020"],
    ["Net sales", "$900", "$800"],
    ["Cost of sales", "500", "450"],
    ["Gross profit", "400", "350"],
    ["Operating income", "200", "180"],
    ["Interest expense", "20", "25"],
    ["Income before income taxes", "180", "155"],
    ["Net income", "140", "120"],
]
PART = [["Tools (in millions)", "2021", "2020"], ["Net sales", "$310", "$290"], ["Operating income", "60", "50"]]
PLAIN = [["", "2021", "2020"], ["Rent", "45,007", "42,180"], ["Wages", "12,340", "11,980"]]


def found(question: str, *tables: list[list[str]], texts: tuple[str, ...] = ()) -> list[Candidate]:
    origin = Origin(1, "doc_1")
    evidence = []
    for index, rows in enumerate(tables):
        block = table_block(rows)
        assert block is not None
        assert block.table is not None
        evidence.append(TableEvidence(origin, index, block.table, score=1.0))
    said = tuple(TextEvidence(origin, "itm", text) for text in texts)
    return asyncio.run(
        answer_from_tables(AnalysedQuestion(question, "en", question), Evidence(tuple(evidence), said), None)
    )


@pytest.mark.parametrize("tables", [(STATEMENT, PART), (PART, STATEMENT)])
def test_the_statement_goes_before_a_part_of_it(tables: tuple[list[list[str]], ...]) -> None:
    assert found("What was net sales in 2021?", *tables)[0].answer.value == 900.0


def test_two_tables_that_say_different_things_leave_less_sureness() -> None:
    other = [PART[0], ["Net sales", "$500", "$480"], PART[2]]
    alone = found("What was net sales in 2021?", PART)[0].sureness
    assert found("What was net sales in 2021?", PART, other)[0].sureness < alone


def test_two_tables_that_agree_do_not() -> None:
    alone = found("What was net sales in 2021?", PART)[0].sureness
    assert found("What was net sales in 2021?", PART, PART)[0].sureness == pytest.approx(alone)


def test_the_text_tells_the_scale_that_a_table_does_not_print() -> None:
    texts = ("Rent rose to $45.0 million, wages to $12.3 million.",)
    assert found("What was rent in 2021?", PLAIN, texts=texts)[0].answer.scale == 1e3
    assert found("What was rent in 2021?", PLAIN)[0].answer.scale == 1.0


def test_one_figure_alone_tells_no_scale() -> None:
    assert found("What was rent in 2021?", PLAIN, texts=("Rent rose to $45.0 million.",))[0].answer.scale == 1.0
