"""Tests invented claims, each checked against one sentence."""

from __future__ import annotations

import pytest

from core.language.entities.quantities import quantities, says_same
from core.review.entailment import judge
from core.review.relevance import ContextLine


@pytest.mark.parametrize(
    ("passage", "claim", "finding"),
    [
        (
            "Sales rose 8% to $61.2 billion from $56.7 billion last year.",
            "Sales were $56.7 billion, against $61.2 billion last year.",
            "denied",
        ),
        ("Sales rose 8% to $61.2 billion from $56.7 billion last year.", "Sales rose to about $61 billion.", "held"),
        ("Sales rose 8% to $61.2 billion from $56.7 billion last year.", "Sales rose to about $64 billion.", "denied"),
        ("Sales rose 8% to $61.2 billion from $56.7 billion last year.", "Sales fell 8%.", "denied"),
        (
            "Sales rose 8% to $61.2 billion from $56.7 billion last year.",
            "Sales rose 8% because of lower prices.",
            "open",
        ),
        ("We expect sales to rise in the second half.", "Sales rise in the second half.", "open"),
        ("Sales rose in the second quarter.", "Sales rose in the third quarter.", "open"),
        ("Most customers renewed the contract.", "All customers renewed the contract.", "open"),
        ("Most customers renewed the contract.", "Customers renewed the contract.", "open"),
        ("The firm bought back 17 million shares.", "The firm repurchased 17 million shares.", "held"),
        ("The firm bought back 17 million shares.", "The firm issued 17 million shares.", "denied"),
        ("הרוכש ישלם לספק 40 אלף דולר.", "הספק ישלם לרוכש 40 אלף דולר.", "open"),
        ("ההכנסות עלו ב-30% ברבעון האחרון.", "ההכנסות ירדו ב-30% ברבעון האחרון.", "denied"),
        ("ההכנסות עלו ב-30% ברבעון האחרון.", "ההכנסות צמחו ב-30% ברבעון האחרון.", "held"),
    ],
)
def test_only_evidence_holds_or_denies(passage: str, claim: str, finding: str) -> None:
    assert judge(claim, [ContextLine(passage)]).finding == finding


@pytest.mark.parametrize(
    ("said", "truth", "same"),
    [
        ("about $1.4 billion", "$1,364 million", True),
        ("about $1.5 billion", "$1,364 million", False),
        ("almost 850 shops", "847 shops", True),
        ("just over 850 shops", "847 shops", False),
        ("12-15 cents", "12 to 15 cents", True),
        ("thirty (30) days", "30 days", True),
        ("כמעט 100 ימים", "97 ימים", True),
        ("כ-110 ימים", "97 ימים", False),
    ],
)
def test_right_rounding_passes(said: str, truth: str, same: bool) -> None:
    (one,), (other,) = quantities(said), quantities(truth)
    assert says_same(one, other) == same


def _as_lines(text: str) -> list[ContextLine]:
    return [ContextLine(text)]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The mill has about a thousand looms.", "The mill has 1,000 looms."),
        (
            "The harbour handled 40 ships in 2019.",
            "In 2019, against a wind that nobody in the town or beside it had foreseen, the harbour handled 40 ships.",
        ),
        (
            "Wages at the mill rose by 14 per cent.",
            "Wages at the mill rose by 14 per cent; rent and fuel cost $3 and $5, respectively.",
        ),
    ],
)
def test_counts_years_and_rows_of_others_leave_a_claim_held(claim: str, text: str) -> None:
    assert judge(claim, _as_lines(text)).finding == "held"


def test_a_row_dealt_out_respectively_leaves_its_figures_open() -> None:
    text = "Rent and fuel cost $3 and $5, respectively."
    assert judge("Rent cost $5.", _as_lines(text)).finding != "held"


def test_a_denying_prefix_counts_beside_a_known_concept() -> None:
    assert (
        judge("The loans of the fund are secured.", _as_lines("The loans of the fund are unsecured.")).finding
        == "denied"
    )


@pytest.mark.parametrize("row", ["45% 2021", "12 6 2", "—"])
def test_a_row_without_a_word_is_judged_like_any_other(row: str) -> None:
    assert judge("Revenue was 45% in 2021", [ContextLine(row)]).finding != "held"
    assert judge(row, [ContextLine("Revenue was 44% in 2021")]).finding != "held"
