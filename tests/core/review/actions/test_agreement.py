"""Tests how quotations from several documents are compared: agreement or contradiction."""

from __future__ import annotations

import pytest

from core.events import Quote
from core.review.actions.agreement import CitedDocument, compare_quotations


def quote(number: int, text: str) -> Quote:
    return Quote(number=number, item_id=f"i{number}", text=text)


ONE = quote(1, "Expense claims must be filed within 45 days of the trip.")
OTHER = quote(2, "Claims for expenses are filed within 30 days of the trip.")
ASKED = "Within how many days must expense claims be filed?"


def test_another_figure_for_one_thing_is_a_difference() -> None:
    (said,) = compare_quotations([ONE, OTHER], ASKED, {})
    assert said.en == "The documents disagree: 45 days [1], 30 days [2]."
    assert said.he == "יש סתירה בין המסמכים: 45 ימים [1], 30 ימים [2]."


def test_the_same_figure_is_an_agreement() -> None:
    other = quote(2, OTHER.text.replace("30", "45"))
    (said,) = compare_quotations([ONE, other], ASKED, {})
    assert said.en == "The documents agree: 45 days [1][2]."


def test_hebrew_is_compared_like_english() -> None:
    one = quote(1, "יש להגיש את דוח ההוצאות בתוך 45 ימים מסיום הנסיעה.")
    other = quote(2, "יש להגיש את דוח ההוצאות בתוך 30 ימים מסיום הנסיעה.")
    (said,) = compare_quotations([one, other], "תוך כמה ימים מגישים דוח הוצאות?", {})
    assert said.he == "יש סתירה בין המסמכים: 45 ימים [1], 30 ימים [2]."


@pytest.mark.parametrize(
    "other",
    [
        quote(1, OTHER.text),
        quote(2, "The office opens at eight and closes within 30 days of nothing."),
        quote(2, "Claims for expenses are filed by the office."),
    ],
    ids=["one document", "another matter", "no figure"],
)
def test_what_cannot_be_held_against_each_other_is_not(other: Quote) -> None:
    assert compare_quotations([ONE, other], ASKED, {}) == []


def test_figures_of_two_organisations_or_two_periods_are_no_difference() -> None:
    one = quote(1, "Revenue was $45 million in the fiscal year.")
    other = quote(2, "Revenue was $30 million in the fiscal year.")
    asked = "What was revenue in the fiscal year?"
    assert compare_quotations([one, other], asked, {})
    acme, globex = CitedDocument(frozenset({"Acme"})), CitedDocument(frozenset({"Globex"}))
    assert not compare_quotations([one, other], asked, {1: acme, 2: globex})
    early, late = (
        CitedDocument(frozenset({"Acme"}), frozenset({"2021"})),
        CitedDocument(frozenset({"Acme"}), frozenset({"2022"})),
    )
    assert not compare_quotations([one, other], asked, {1: early, 2: late})


def test_sentences_that_name_their_years_are_compared_within_a_year_alone() -> None:
    one = quote(1, "Revenue was $45 million in 2021.")
    other = quote(2, "Revenue was $30 million in 2022.")
    assert not compare_quotations([one, other], "What was revenue?", {})


def test_rows_of_tables_are_not_said_to_differ() -> None:
    one, other = quote(1, "Total net sales | 94,836 | 97,278"), quote(2, "Total net sales | 81,797 | 82,959")
    assert compare_quotations([one, other], "How have total net sales changed?", {}) == []
