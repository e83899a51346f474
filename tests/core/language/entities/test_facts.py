from __future__ import annotations

import pytest

from core.language.entities.facts import Day, facts
from core.language.entities.quantities import quantities
from core.review.polarity import conflict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ILS 3,000 or less", [(3000, "ILS", "most")]),
        ("within 14 days of return", [(14, "day", "most")]),
        ("twenty-five people and three hundred and ten others", [(25, "", None), (310, "", None)]),
        ("four million dollars, 4.2 million", [(4_000_000, "USD", None), (4_200_000, "", None)]),
        ("no later than five working days", [(5, "working day", "most")]),
        ("no earlier than ten days before departure", [(10, "day", "most")]),
        ("at least 10 per cent", [(10, "percent", "least")]),
        ("no one of them, and one day", [(1, "day", None)]),
        ("3.1 The fee is $7.50.", [(7.5, "USD", None)]),
        ("once a year", [(1, "", None)]),
        ('עד 1,500 ש"ח', [(1500, "ILS", "most")]),
        ("לפחות עשרים וחמישה מונים", [(25, "", "least")]),
        ("לא יאוחר מ-30 ימים", [(30, "day", "most")]),
        ("הודעה של 14 ימים לפחות", [(14, "day", "least")]),
        ("יומיים בשבוע", [(2, "day", None)]),
        ("יום אחד בשבוע", [(1, "day", None)]),
        ("שלושת אלפים שקלים", [(3000, "ILS", None)]),
        ("0.6 אחוז", [(0.6, "percent", None)]),
        ("בתוך 14 ימי עבודה", [(14, "working day", "most")]),
    ],
)
def test_numbers(text: str, expected: list[tuple[float, str, str | None]]) -> None:
    assert [(each.value, each.unit, each.limit) for each in facts(text).numbers] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 July 2024", Day(2024, 7, 3)),
        ("by May 15, 2025", Day(2025, 5, 15)),
        ("2024-01-31", Day(2024, 1, 31)),
        ("עד 24.8.2025", Day(2025, 8, 24)),
        ("ב-16 בספטמבר 2025", Day(2025, 9, 16)),
        ("במרץ 2025", Day(2025, 3)),
        ("since March", Day(None, 3)),
        ("closed on Tuesday", Day(weekday=3)),
        ("סגור ביום שלישי", Day(weekday=3)),
    ],
)
def test_dates(text: str, expected: Day) -> None:
    assert facts(text).days == {expected}


@pytest.mark.parametrize("text", ["You may march on", "No one may know", "1.5 meters or 10/20 parts"])
def test_what_is_no_date(text: str) -> None:
    assert facts(text).days == set()


def test_names_and_codes() -> None:
    assert facts("The desk of Tarsis Travel keeps PL-24-05 at 14:00.").names == {"tarsis", "travel", "pl-24-05"}
    assert facts("The desk opens at 14:00.").clocks == {"14:00"}


def test_units_of_time_are_converted() -> None:
    week, days, hours = (facts(text).numbers[0] for text in ("one week", "7 days", "14 hours"))
    assert week.same(days)
    assert not days.same(hours)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A receipt is attached.", "A receipt is not attached."),
        ("Staff can enter.", "Staff cannot enter."),
        ("Nobody has approved the trip.", "The manager approved the trip."),
        ("Smoking is allowed.", "Smoking is forbidden."),
        ("הספק רשאי להעסיק קבלן משנה.", "הספק אינו רשאי להעסיק קבלן משנה."),
        ("תשלום במזומן מותר.", "תשלום במזומן אסור."),
        ("העובד לא חתם על הטופס.", "העובד חתם על הטופס."),
    ],
)
def test_conflicts_are_seen_from_both_sides(one: str, other: str) -> None:
    assert conflict(one, other)
    assert conflict(other, one)
    assert not conflict(one, one)
    assert not conflict(other, other)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("הקנס הוא שני שקלים.", [(2.0, "ILS")]),
        ("ההפסקה נמשכת שתי דקות.", [(2.0, "minute")]),
        ("האסיפה ביום שני.", []),
        ("ברבעון שני ירד גשם.", []),
    ],
)
def test_two_is_counted_before_a_unit_and_not_as_second(text: str, found: list[tuple[float, str]]) -> None:
    assert [(each.low, each.unit) for each in quantities(text)] == found


def test_a_letter_before_a_number_word_makes_it_approximate() -> None:
    assert [(each.low, each.near) for each in quantities("במפעל יש כאלף נולים.")] == [(1000.0, "about")]
