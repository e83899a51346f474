"""Tests formulas for financial measures, in the vocabulary files and in questions: their parts, and which ones are
rejected."""

import ast

import pytest

from core.language.fields import figures
from core.question.measures.expressions import definitions_in
from core.question.measures.formulas import Formula, Term, formula_of, formulas_of, term_of


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "{revenue}.real", "{revenue} ** 9", "[{revenue}]", "{revenue} if 1 else 2",
     "lambda: {revenue}", "{unknown} / {revenue}", "average({revenue}, 2)", "1 + 2", "'a' * {revenue}"],
)  # fmt: skip
def test_only_arithmetic_over_known_figures_is_let_in(text: str) -> None:
    assert formula_of(text, term_of) is None


def test_every_formula_of_the_vocabulary_can_be_worked_out() -> None:
    for key, figure in figures().items():
        assert len(formulas_of(key)) == len(figure.formula), key


def described(formula: Formula | Term) -> tuple[str, list[str]]:
    assert isinstance(formula, Formula)
    names = [term.name if isinstance(term, Term) else "(own)" for term in formula.terms.values()]
    return ast.unparse(formula.tree), names


@pytest.mark.parametrize(
    ("text", "key", "tree", "names"),
    [
        ("Cash ratio is defined as: cash / total current liabilities.", "cash ratio", "f0 / f1",
         ["cash", "current liabilities"]),
        ("Define unadjusted EBITDA as operating income + D&A [from cash flow statement].", "EBITDA", "f0 + f1",
         ["operating income", "depreciation and amortization"]),
        ("What is the current ratio (total current assets divided by total current liabilities)?", "current ratio",
         "f0 / f1", ["current assets", "current liabilities"]),
        ("ROA is defined as: FY2031 net income / (average total assets between FY2030 and FY2031). Round it.",
         "return on assets", "f0 / average(f1)", ["net income", "total assets"]),
        ("Quick ratio is calculated as (cash + marketable securities) / current liabilities", "quick ratio",
         "(f0 + f1) / f2", ["cash", "short-term investments", "current liabilities"]),
        ("CCC is defined as: DIO + DSO - DPO. DIO is defined as: 365 * inventory / COGS.", "cash conversion cycle",
         "f0 + f1 - f2", ["(own)", "days sales outstanding", "days payable"]),
    ],
)  # fmt: skip
def test_definitions_in_a_question(text: str, key: str, tree: str, names: list[str]) -> None:
    assert described(definitions_in(text)[key]) == (tree, names)


def test_periods_within_a_definition_are_kept() -> None:
    formula = definitions_in(
        "DPO is defined as: 365 * (average accounts payable between FY2030 and FY2031) / FY2031 COGS"
    )
    assert isinstance(formula["days payable"], Formula)
    terms = [term for term in formula["days payable"].terms.values() if isinstance(term, Term)]
    assert [term.periods for term in terms] == [("2030", "2031"), ("2031",)]
