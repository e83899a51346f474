from collections.abc import Callable

import pytest

from core.figures.measures.answers import answer_from_statements
from core.figures.records import Candidate, TableEvidence
from core.library.tables.records import Table
from core.question.analysed import AnalysedQuestion

Evidence = Callable[..., list[TableEvidence]]
Ask = Callable[..., AnalysedQuestion]
MakeTable = Callable[..., Table]


@pytest.fixture
def answered(tables: list[Table], evidence_of: Evidence, ask: Ask) -> Callable[..., Candidate]:
    def answer(text: str, **about: object) -> Candidate:
        found = answer_from_statements(ask(text, **about), evidence_of(tables))
        assert found, text
        return found[0]

    return answer


def test_a_figure_has_value_scale_currency_and_cell(answered: Callable[..., Candidate]) -> None:
    best = answered("What was the capex of Harbour Tools in FY2031?")
    assert (best.answer.value, best.answer.scale, best.answer.currency) == (70, 1e6, "USD")
    assert best.answer.line == "Capex of Harbour Tools in FY2031: $70 million [1]"
    (cell,) = best.answer.cells
    assert (cell.table, cell.row, cell.column, cell.value, cell.page) == (2, 3, 0, -70, 5)
    assert best.answer.doubt is None
    assert best.sureness > 0.9


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("What was the gross margin of Harbour Tools in 2031?", 40.0, "%"),
        ("What was the free cash flow of Harbour Tools in 2031?", 140, None),
        ("What was the effective tax rate of Harbour Tools in 2030?", 20.0, "%"),
        ("What was the current ratio of Harbour Tools at the end of 2031?", 2.0, "x"),
        ("What is the debt to equity ratio of Harbour Tools for 2031?", 0.65, "x"),
        ("What was the interest coverage of Harbour Tools in 2031?", 10.0, "x"),
        ("What was the EBITDA of Harbour Tools in 2031?", 250, None),
        ("What was the working capital of Harbour Tools at the end of 2031?", 200, None),
        ("What was the inventory turnover of Harbour Tools in 2031?", 6.0, "x"),
        ("What is EBITDA less capex of Harbour Tools for 2031?", 180, None),
        ("What were SG&A expenses of Harbour Tools as a percent of net sales in 2031?", 15.0, "%"),
        ("What is the ratio of capex to depreciation and amortization of Harbour Tools in 2031?", 1.4, "x"),
        ("What share of Harbour Tools' net sales is cost of sales in 2031, in percent?", 60.0, "%"),
        ("What is the EBITDA margin of Harbour Tools for 2031?", 25.0, "%"),
        ("By what percentage did net sales of Harbour Tools grow from 2030 to 2031?", 11.11, "%"),
        ("How much higher was net income of Harbour Tools in 2030 than in 2029?", 48, None),
        ("What is the FY2029 - FY2031 3 year average net profit margin of Harbour Tools (as a %)?", 16.02, "%"),
    ],
)
def test_measures_are_worked_out_of_cells(
    answered: Callable[..., Candidate], text: str, value: float, unit: str | None
) -> None:
    answer = answered(text).answer
    assert answer.value == pytest.approx(value, abs=0.006)
    assert answer.unit == unit
    assert answer.calculation
    assert len(answer.cells) > 1


@pytest.mark.parametrize(
    "text",
    [
        "What were the capex and net income of Harbour Tools in 2031?",
        "Which was larger in 2031, the capex of Harbour Tools or its net income?",
    ],
)
def test_two_figures_are_both_told(answered: Callable[..., Candidate], text: str) -> None:
    told = answered(text).answer
    assert [part.split(" ", 1)[0] for part in told.line.split("; ")] == ["Capex", "Net"]
    assert len(told.cells) == 2


def test_what_the_question_defines_goes_before_the_vocabulary(answered: Callable[..., Candidate]) -> None:
    text = (
        "What is the FY2031 DPO of Harbour Tools? DPO is defined as: 365 * (average accounts payable between FY2030 "
        "and FY2031) / (FY2031 COGS + change in inventory between FY2030 and FY2031). Round to two decimal places."
    )
    answer = answered(text).answer
    assert answer.value == pytest.approx(365 * 70 / 620, abs=0.006)
    assert answer.unit == "days"


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [
        ("Does Harbour Tools have an improving operating margin as of FY2031?", "no", "No: operating margin of"),
        ("Did net sales of Harbour Tools increase or decrease in 2031?", "increased", "Increased: net sales of"),
        ("Was there any drop in cash of Harbour Tools between 2030 and 2031?", "no", "No: cash of"),
        ("Is the gross margin of Harbour Tools consistent (not fluctuating more than 2%)?", "no", "No: gross margin"),
        (
            "Among operating, investing and financing activities, which brought Harbour Tools the most cash in 2031?",
            "operating activities",
            "Operating activities",
        ),
        ("Does Harbour Tools have positive working capital at the end of 2031?", "yes", "Yes: working capital"),
    ],
)
def test_judgements_come_with_their_figures(
    answered: Callable[..., Candidate], text: str, value: str, line: str
) -> None:
    answer = answered(text).answer
    assert answer.value == value
    assert answer.line.startswith(line)
    assert len(answer.cells) >= 2


def test_hebrew_questions_are_answered_in_hebrew(answered: Callable[..., Candidate]) -> None:
    answer = answered("מה היה הרווח הנקי של Harbour Tools בשנת 2031?", language="he").answer
    assert answer.value == 144
    assert answer.line == "רווח נקי של Harbour Tools ב-2031: $144 מיליון [1]"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "האם שיעור הרווח התפעולי של Harbour Tools השתפר ב-2031?",
            "לא: שיעור הרווח התפעולי של Harbour Tools, ירידה מ-25.0 %",
        ),
        ("בכמה אחוזים גדלו המכירות של Harbour Tools בין 2030 ל-2031?", "הכנסות של Harbour Tools: עלייה של 11.1 %"),
        ("מה היה היחס השוטף של Harbour Tools בסוף 2031?", "יחס שוטף של Harbour Tools ב-2031: 2.00x [1]"),
    ],
)
def test_measures_in_hebrew(answered: Callable[..., Candidate], text: str, line: str) -> None:
    assert answered(text, language="he").answer.line.startswith(line)


def test_a_period_that_is_not_stated_has_no_answer(tables: list[Table], evidence_of: Evidence, ask: Ask) -> None:
    assert answer_from_statements(ask("What was net income of Harbour Tools in 2019?"), evidence_of(tables)) == []


def test_another_company_is_not_answered_for(tables: list[Table], evidence_of: Evidence, ask: Ask) -> None:
    question = ask("What was net income of Quarry Rail in 2031?", entities=("Quarry Rail",))
    assert answer_from_statements(question, evidence_of(tables)) == []


def test_a_segment_is_not_answered_with_the_whole(tables: list[Table], evidence_of: Evidence, ask: Ask) -> None:
    question = ask("What was the operating income of the paints segment of Harbour Tools in 2031?")
    assert answer_from_statements(question, evidence_of(tables)) == []


def test_a_figure_that_a_later_filing_restates_is_told_twice(
    tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence, ask: Ask
) -> None:
    later = make_table([("Net sales", [1100, 1010]), ("Operating income", [220, 190]), ("Net income", [150, 140])],
                       ["2032", "2031"])  # fmt: skip
    both = evidence_of(tables) + evidence_of([later], number=2, periods=("2032",))
    answer = answer_from_statements(ask("What were net sales of Harbour Tools in 2031?"), both)[0].answer
    assert answer.value == 1000
    assert "$1,010 million [2]" in answer.line
    assert [(cell.document_id, cell.value) for cell in answer.others] == [("d2", 1010)]


def test_the_answer_is_told_in_the_scale_that_is_asked_for(answered: Callable[..., Candidate]) -> None:
    answer = answered("What were total assets of Harbour Tools at the end of 2031 in USD billions?").answer
    assert (answer.value, answer.scale) == (1.2, 1e9)
    assert "$1.20 billion" in answer.line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("What is the FY2029-FY2031 CAGR of Harbour Tools' net sales?", 11.8),
        ("What were total sales of Harbour Tools over 2029 to 2031 in total?", 2700),
    ],
)
def test_rates_and_sums_over_years(answered: Callable[..., Candidate], text: str, value: float) -> None:
    assert answered(text).answer.value == pytest.approx(value, abs=0.006)


def test_a_figure_limited_to_what_other_rows_are_called_is_doubted(
    tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence, ask: Ask
) -> None:
    regions = make_table([("Northern Isles", [400, 380, 300])], ["2031", "2030", "2029"], caption="Sales by region")
    question = ask("What were net sales of Harbour Tools in the Northern Isles in 2031?")
    (best,) = answer_from_statements(question, evidence_of([*tables, regions]))
    assert best.answer.doubt is not None
    assert "northern isles" in best.answer.doubt.en
    assert best.sureness < 0.4


def test_statements_of_guarantors_stand_behind_those_of_the_company(
    tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence, ask: Ask
) -> None:
    rows = [(row.label, [cell.value / 10 for cell in row.cells if cell.value]) for row in tables[0].rows]
    smaller = make_table(rows, ["2031", "2030", "2029"], caption="Guarantors · Consolidated Statements of Income")
    (best,) = answer_from_statements(
        ask("What was net income of Harbour Tools in 2031?"), evidence_of([smaller, *tables])
    )
    assert best.answer.value == 144
    assert best.answer.doubt is None


def test_a_judgement_that_nothing_decides_claims_none(answered: Callable[..., Candidate]) -> None:
    answer = answered("Is Harbour Tools a capital-intensive business based on FY2031 data?").answer
    assert answer.kind == "undecided"
    assert not answer.decided
    assert answer.doubt is not None
    assert "capital intensity 7.0 %" in answer.line


def test_the_rows_under_a_heading_add_up_to_it(
    make_table: Callable[..., Table], tables: list[Table], evidence_of: Evidence, ask: Ask
) -> None:
    balance = make_table(
        [("Total current assets", [400]), ("Inventories, net:", []), ("Raw materials", [30]), ("Finished goods", [80])],
        ["2031-12-31"], caption="Consolidated Balance Sheets",
    )  # fmt: skip
    rest = [("Total assets", [1200]), ("Accounts payable", [80]), ("Total current liabilities", [200]),
            ("Total equity", [500]), ("Retained earnings", [20]), ("Total liabilities", [700])]  # fmt: skip
    whole = balance.model_copy(update={"rows": [*balance.rows, *make_table(rest, ["2031-12-31"]).rows]})
    question = ask("What were inventories of Harbour Tools at the end of 2031?")
    (best,) = answer_from_statements(question, evidence_of([tables[0], whole]))
    assert best.answer.value == 110
    assert len(best.answer.cells) == 2


def test_a_ratio_that_the_question_coins_is_worked_out(answered: Callable[..., Candidate]) -> None:
    text = "What is the FY2031 cash ratio of Harbour Tools? Cash ratio is defined as: cash / total current liabilities."
    answer = answered(text).answer
    assert (answer.value, answer.unit) == (0.45, "x")


@pytest.fixture
def two_companies(tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence) -> list[TableEvidence]:
    other = make_table(
        [("Net sales", [2000, 1900]), ("Operating income", [500, 380]), ("Net income", [300, 280])], ["2031", "2030"]
    )
    return evidence_of(tables) + evidence_of([other], number=2, name="Quarry Rail")


def test_two_companies_are_set_side_by_side(two_companies: list[TableEvidence], ask: Ask) -> None:
    both = ("Harbour Tools", "Quarry Rail")
    question = ask("Which had the higher operating margin in 2031, Harbour Tools or Quarry Rail?", entities=both)
    (best,) = answer_from_statements(question, two_companies)
    assert best.answer.value == "Quarry Rail"
    assert "20.0 %" in best.answer.line
    assert "25.0 %" in best.answer.line
    assert {cell.document_id for cell in best.answer.cells} == {"d1", "d2"}


def test_a_figure_of_no_named_company_is_doubted_where_there_are_two(
    two_companies: list[TableEvidence], ask: Ask
) -> None:
    found = answer_from_statements(ask("What were net sales in 2031?", entities=()), two_companies)
    assert [each.answer.value for each in found] == [1000, 2000]
    assert all(each.answer.doubt for each in found)


def test_a_short_name_of_the_company_limits_nothing(
    tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence, ask: Ask
) -> None:
    note = make_table([("Harbour equity awards", [5])], ["2031"], caption="Awards")
    question = ask("What was Harbour's EBITDA less capex in 2031?", entities=("Harbour Tools",))
    found = answer_from_statements(question, evidence_of([*tables, note], name="Harbour"))
    assert found[0].answer.value == 180
    assert found[0].answer.doubt is None


@pytest.mark.parametrize(
    ("text", "value", "went"),
    [
        ("Did the net loss of Harbour Tools shrink in 2031?", "no", "rose from $168 million"),
        ("Did the net loss of Harbour Tools grow in 2031?", "yes", "rose from $168 million"),
    ],
)
def test_a_larger_loss_has_grown(
    make_table: MakeTable, evidence_of: Evidence, ask: Ask, text: str, value: str, went: str
) -> None:
    table = make_table([("Net sales", [1000, 900]), ("Net loss", [-190, -168])], ["2031", "2030"])
    answer = answer_from_statements(ask(text), evidence_of([table]))[0].answer
    assert (answer.value, went in answer.line) == (value, True), answer.line


def test_a_statement_of_guarantors_is_not_taken_for_the_company(
    tables: list[Table], make_table: Callable[..., Table], evidence_of: Evidence, ask: Ask
) -> None:
    balance = [("Total current assets", [400, 300]), ("Total assets", [1200, 1000]), ("Total liabilities", [700, 550]),
               ("Total current liabilities", [200, 150]), ("Retained earnings", [220, 200]),
               ("Accounts payable", [80, 60]), ("Total equity", [500, 450])]  # fmt: skip
    old = make_table(balance, ["2030-12-31", "2029-12-31"], caption="Consolidated Balance Sheets")
    others = make_table(
        [(label, [value / 10 for value in values]) for label, values in balance],
        ["2031-12-31", "2030-12-31"],
        caption="Deed of Cross Guarantee · Consolidated Balance Sheets",
    )
    question = ask("What were Harbour Tools' total current assets at the end of 2031?")
    assert answer_from_statements(question, evidence_of([tables[0], old, others])) == []
    (found,) = answer_from_statements(question, evidence_of([tables[0], tables[1], others]))
    assert found.answer.value == 400.0


def test_a_heading_run_into_its_first_row_adds_up_with_the_rows_under_it(
    tables: list[Table], evidence_of: Evidence, ask: Ask
) -> None:
    balance = tables[1]
    label = "Inventories, net Raw materials and supplies"
    first = next(row for row in balance.rows if row.label == "Inventories")
    second = first.model_copy(update={"label": "Work in process", "parents": [label]})
    rows = [each for row in balance.rows for each in ([row] if row is not first else
            [row.model_copy(update={"label": label}), second])]  # fmt: skip
    run_in = balance.model_copy(update={"rows": rows})
    question = ask("What were Harbour Tools' inventories at the end of 2031?")
    (found,) = answer_from_statements(question, evidence_of([tables[0], run_in, tables[2]]))
    assert found.answer.value == 220.0
    assert found.answer.calculation.startswith("110 + 110")
