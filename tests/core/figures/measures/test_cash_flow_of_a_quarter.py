"""Tests cash flow figures of quarterly reports: which row reports them, and which period is stated."""

from collections.abc import Callable

import pytest

from core.figures.measures.answers import answer_from_statements
from core.figures.records import Candidate, TableEvidence
from core.library.tables.records import Column, Table
from core.question.analysed import AnalysedQuestion

Evidence = Callable[..., list[TableEvidence]]
Ask = Callable[..., AnalysedQuestion]
MakeTable = Callable[..., Table]

CASH = [
    ("Net income", [64, 58]),
    ("Net cash provided by operating activities", [145, 120]),
    ("Purchase of property, plant, and equipment, and other intangible assets", [-50, -40]),
    ("Net cash used in investing activities", [-60, -45]),
    ("Dividends paid", [-20, -15]),
    ("Net cash used in financing activities", [-30, -25]),
    ("Cash and cash equivalents at end of period", [90, 80]),
    ("Purchase of property and equipment, accrued but unpaid", [8, 7]),
]
BALANCE = [
    ("Cash and cash equivalents", [90, 80]), ("Total current assets", [400, 300]),
    ("Property, plant and equipment, net", [500, 450]), ("Total assets", [1200, 1000]),
    ("Total current liabilities", [200, 150]), ("Long-term debt", [300, 280]),
    ("Total liabilities and equity", [1200, 1000]),
]  # fmt: skip
HALF = ["Six months ended June 30, 2031", "Six months ended June 30, 2030"]


@pytest.fixture
def answered(make_table: MakeTable, evidence_of: Evidence, ask: Ask) -> Callable[[str], list[Candidate]]:
    cash = make_table(CASH, ["2031-H1", "2030-H1"], caption="Consolidated statements of cash flows")
    columns = [Column(header=[header], period=f"{year}-H1") for header, year in zip(HALF, (2031, 2030), strict=True)]
    balance = make_table(BALANCE, ["2031-06-30", "2030-12-31"], caption="Consolidated balance sheets")

    def answer(text: str) -> list[Candidate]:
        tables = [cash.model_copy(update={"columns": columns}), balance]
        return answer_from_statements(
            ask(text), evidence_of(tables, periods=("2031-Q2",), kind="quarterly report")
        )  # fmt: skip

    return answer


@pytest.mark.parametrize(
    "text",
    [
        "What was the capital expenditure of Harbour Tools in Q2 2031?",
        "How much did Harbour Tools spend on property and equipment (capital expenditure) in Q2 2031?",
    ],
)
def test_a_measure_in_brackets_is_asked_for_and_paid_amounts_are_meant(
    answered: Callable[[str], list[Candidate]], text: str
) -> None:
    best = answered(text)[0]
    assert [(cell.row, cell.value) for cell in best.answer.cells] == [(2, -50)]


def test_figures_from_the_beginning_of_the_year_are_no_sure_answer_for_a_quarter(
    answered: Callable[[str], list[Candidate]],
) -> None:
    best = answered("What was the operating cash flow of Harbour Tools in Q2 2031?")[0]
    assert best.answer.line == "Operating cash flow of Harbour Tools in 6 months to 2031-06-30: $145 million [1]"
    assert best.answer.doubt is not None
    assert best.sureness < 0.6
    assert not answered("What was the operating cash flow of Harbour Tools in Q1 2031?")
