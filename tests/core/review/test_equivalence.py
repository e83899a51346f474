from __future__ import annotations

import pytest

from core.review.equivalence import Likeness, concern_different_things, equivalence_of

NEAR = Likeness(0.8, 0.8, 0.8)


@pytest.mark.parametrize(
    ("one", "other", "aspect"),
    [
        ("The deposit is 400 dollars.", "The deposit is 650 dollars.", "figures"),
        ("Kites are flown until 4 May 2021.", "Kites are flown until 9 June 2021.", "dates"),
        ("Keys are returned within 14 days.", "Keys are promptly returned.", "deadline"),
        ("Pets are allowed in the mill.", "Pets are not allowed in the mill.", "denial"),
        ("The tenant must paint the door.", "The tenant may paint the door.", "duty"),
        ("The duty survives the lease.", "The duty survives the lease unless the mill burns down.", "scope"),
        ("הפיקדון הוא 400 שקלים.", "הפיקדון הוא 650 שקלים.", "figures"),
        ("המפתחות יוחזרו בתוך 14 ימים.", "המפתחות יוחזרו ללא דיחוי.", "deadline"),
        ("טיסת המריאון לא תוחזר.", "טיסת המריאון תוחזר.", "denial"),
    ],
)
def test_sentences_of_one_subject_differ_in_one_aspect(one: str, other: str, aspect: str) -> None:
    assert equivalence_of(one, other, NEAR).relation == "differs"
    assert equivalence_of(one, other, NEAR).aspect == aspect
    assert equivalence_of(other, one, NEAR).aspect == aspect


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gulls may be fed on the pier.", "On the pier, gulls may be fed."),
        ("The fee is thirty (30) dollars.", "The fee is $30."),
        ("הסכום הוא 30 שקלים לביקור.", "לכל ביקור הסכום הוא 30 שקלים."),
    ],
)
def test_the_same_is_said_where_nothing_speaks_against_it(one: str, other: str) -> None:
    assert equivalence_of(one, other, NEAR).relation == "same"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Revenue for the quarter was $4 million.", "Revenue for the first 36 weeks was $11 million."),
        ("Full-year revenue was $40 million.", "Third-quarter revenue was $11 million."),
        ("Adjusted profit was $4 million.", "Profit was $3 million."),
        ("Last year's profit was $4 million.", "Profit was $3 million."),
        ("ההכנסות ברבעון היו 4 מיליון שקל.", "ההכנסות השנתיות היו 11 מיליון שקל."),
    ],
)
def test_figures_of_other_things_are_apart(one: str, other: str) -> None:
    assert concern_different_things(one, other)
    assert equivalence_of(one, other, NEAR).relation == "apart"


def test_a_quarter_of_a_fiscal_year_is_no_year() -> None:
    one = "In the first quarter of fiscal year 2031 sales were $4 million."
    assert concern_different_things(one, "Annual sales were $17 million.")
    assert not concern_different_things(one, "In the second quarter of fiscal year 2031 sales were $5 million.")


def test_a_word_is_not_held_against_its_opposite_that_both_have() -> None:
    one = "A loss of a large order could harm the earnings and the cash of the mill."
    other = "A loss of a large order could harm the position and the cash of the mill."
    assert equivalence_of(one, other, NEAR).relation != "differs"
    assert equivalence_of("The mill made a profit.", "The mill made a loss.", NEAR).aspect == "denial"


def test_what_is_far_is_not_decided() -> None:
    assert (
        equivalence_of("The deposit is 400 dollars.", "The fine is 650 dollars.", Likeness(0.3, 0.4, 0.4)).relation
        == "open"
    )


def test_a_figure_of_one_alone_keeps_the_same_from_being_said() -> None:
    one, other = "The boat leaves the pier.", "The boat leaves the pier with 12 guests."
    assert equivalence_of(one, other, NEAR).relation == "open"


def test_what_a_figure_is_compared_with_makes_no_difference() -> None:
    one = "Sales were $50 million, compared to $40 million."
    assert equivalence_of(one, "Sales were $50 million.", NEAR).relation != "differs"


def test_the_day_at_which_a_report_looks_makes_no_difference() -> None:
    one = "As of March 31, 2030, reserves for windows were $2 million."
    assert equivalence_of(one, one.replace("2030", "2031"), NEAR).relation == "open"
    assert equivalence_of(one, "As of March 31, 2031, reserves for windows were $3 million.", NEAR).aspect == "figures"
    hebrew = "נכון ליום 31.3.2030 ההפרשה לחלונות היא 2 מיליון שקל."
    assert equivalence_of(hebrew, hebrew.replace("2030", "2031"), NEAR).relation == "open"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The mill grinds rye for the village.", "The mill is expected to grind rye for the village."),
        ("The landlord pays the tenant for repairs.", "The tenant pays the landlord for repairs."),
    ],
)
def test_what_is_expected_and_who_does_it_must_be_the_same(one: str, other: str) -> None:
    assert equivalence_of(one, other, NEAR).relation != "same"
    assert equivalence_of(other, one, NEAR).relation != "same"
