"""Tests claims about figures against an invented company's financial statements: all decisions are right; other claims
stay undecided."""

from __future__ import annotations

import pytest

from core.figures.records import TableEvidence
from core.review.figure_claims import figure_claim
from tests.core.figures.measures.conftest import BALANCE, CASH, INCOME, MakeEvidence, evidence_of, table_of

__all__ = ["evidence_of"]

YEARS = ["2031", "2030", "2029"]


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("Net sales were $1 billion in 2031.", True),
        ("Net sales grew 11.1% to $1,000 million in 2031.", True),
        ("Net sales increased by $100 million in 2031.", True),
        ("Net income fell in 2031.", True),
        ("Operating income decreased from 2030 to 2031.", True),
        ("Net income was $168 million in 2030.", True),
        ("Inventories rose to $110 million.", True),
        ("The company's gross margin was 40%.", True),
        ("Total assets were more than $1.1 billion at the end of 2031.", True),
        ("Cash flow from operating activities declined in 2031.", True),
        ("המכירות עלו ב-11.1% בשנת 2031.", True),
        ("הרווח הנקי היה 144 מיליון דולר בשנת 2031.", True),
        ("Net sales were $900 million in 2031.", False),
        ("Net sales declined in 2031.", False),
        ("Net sales grew 25% in 2031.", False),
        ("Net income rose in 2031.", False),
        ("Net income was $144 million in 2030.", False),
        ("Net sales grew 11.1% to $1,200 million in 2031.", False),
        ("Total assets were at most $1.1 billion at the end of 2031.", False),
        ("המכירות ירדו בשנת 2031.", False),
    ],
)
def test_the_cells_decide(evidence_of: MakeEvidence, claim: str, holds: bool) -> None:
    found = figure_claim(claim, evidence(evidence_of), "en")
    assert found is not None
    assert found.holds is holds
    assert (found.off > 0) is not holds
    assert found.cells
    assert found.stated


@pytest.mark.parametrize(
    "claim",
    [
        "Organic net sales grew 5% in 2031.",
        "Net sales in Europe were $1 billion in 2031.",
        "Net sales will grow 11.1% in 2031.",
        "Net sales did not grow in 2031.",
        "Net sales in the fourth quarter were $1 billion.",
        "Net sales were €1 billion in 2031.",
        "Net sales were $1 billion in 2025.",
        "Net sales were up from $800 million.",
        "Net income was 14% of net sales in 2031.",
        "Net sales are recognised at delivery.",
        "Net sales increased compared to 2030.",
        "Employees numbered 1,000 in 2031.",
        "Net sales were $0.9 billion or $1 billion in 2031.",
        "If net sales fall, bonuses are cut.",
    ],
)
def test_what_the_statements_do_not_print_stays_open(evidence_of: MakeEvidence, claim: str) -> None:
    assert figure_claim(claim, evidence(evidence_of), "en") is None


def test_two_companies_are_not_one(evidence_of: MakeEvidence) -> None:
    others = evidence_of([table_of(INCOME, YEARS)], number=2, name="Kettle Works")
    assert figure_claim("Net sales were $1 billion in 2031.", [*evidence(evidence_of), *others], "en") is None


def test_where_another_report_restates_the_figure_nothing_is_decided(evidence_of: MakeEvidence) -> None:
    restated = [(label, [940, *values[1:]] if label == "Net sales" else values) for label, values in INCOME]
    later = evidence_of([table_of(restated, YEARS)], number=2)
    assert figure_claim("Net sales were $1 billion in 2031.", [*evidence(evidence_of), *later], "en") is None


def evidence(make: MakeEvidence) -> list[TableEvidence]:
    return make([table_of(INCOME, YEARS), table_of(BALANCE, ["2031-12-31", "2030-12-31"]), table_of(CASH, YEARS)])
