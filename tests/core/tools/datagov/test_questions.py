"""Tests how a question about open data is split: subject, place, columns, counts; and Hebrew and English names of
subjects."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.normalisation import fold
from core.language.phrases import words
from core.language.places import spellings
from core.tools.datagov.column_kinds import ADDED_UP, asked_columns, kind_of_column, serves
from core.tools.datagov.decomposition import decompose
from core.tools.datagov.places_in_text import places_in
from core.tools.datagov.word_groups import groups_by_domain, longest, mentions, names_of, others

TERMS = {
    "healthcare": (45, 35), "education": (60, 45), "transportation": (50, 40), "environment": (40, 35),
    "finance": (55, 50), "government": (70, 55), "demographics": (45, 35), "legal": (50, 45), "technology": (35, 60),
    "agriculture": (40, 30), "real_estate": (45, 35), "employment": (50, 40), "security": (35, 30),
    "tourism": (40, 35), "culture": (45, 35), "sports": (30, 25), "infrastructure": (55, 45), "energy": (35, 40),
    "water": (30, 25), "welfare": (50, 40), "communications": (35, 45), "science": (40, 55),
}  # fmt: skip
"""Words in Hebrew and English that each subject area must know."""


@pytest.mark.parametrize(
    ("question", "subject", "places", "columns"),
    [
        ("אילו בתי חולים יש בירושלים ומה הטלפון שלהם?", ["בתי חולים"], ["jerusalem"], ["phone"]),
        ("hospitals in Tel Aviv-Yafo with phone numbers", ["hospitals"], ["tel aviv"], ["phone"]),
        ("כתובות ומיילים של תחנות משטרה", ["תחנות משטרה"], [], ["email", "address"]),
        ("how many electric cars are there in Israel", ["electric cars"], [], []),
        ("level of the Sea of Galilee", ["level", "sea of galilee"], [], []),
        ("עצים ברחובות באר שבע", ["עצים", "ברחובות"], ["beer sheva"], []),
        ("כספומטים ברחובות", ["כספומטים"], ["rehovot"], []),
        ("שמות של רחובות", ["שמות", "רחובות"], [], []),
        ("phone numbers", ["phone numbers"], [], []),
        ("משהו באילת", [], ["eilat"], []),
        ("תן לי מידע", [], [], []),
        ("כמה תאונות דרכים היו בחיפה לפי המאגרים הרשמיים", ["תאונות דרכים"], ["haifa"], []),
        ("find schools in Haifa on data.gov.il", ["schools"], ["haifa"], []),
    ],
)
def test_a_question_in_its_parts(question: str, subject: list[str], places: list[str], columns: list[str]) -> None:
    asked = decompose(question)
    assert [unit.text for unit in asked.subject] == subject
    assert [place.key for place in asked.places] == places
    assert sorted(asked.columns) == sorted(columns)


@pytest.mark.parametrize(
    ("question", "counted", "added_up", "year"),
    [
        ("כמה רכבים יש", True, False, None),
        ("how many dogs", True, False, None),
        ('סה"כ מענקים ב-2023', False, True, 2023),
        ("סך הכול קצבאות", False, True, None),
        ("total budget for 2024", False, True, 2024),
        ("רשימת בתי ספר", False, False, None),
    ],
)
def test_what_is_counted_and_added_up(question: str, counted: bool, added_up: bool, year: int | None) -> None:
    asked = decompose(question)
    assert (asked.counted, asked.added_up, asked.year) == (counted, added_up, year)


@given(st.text(max_size=200))
def test_any_text_can_be_taken_apart(text: str) -> None:
    decompose(text)


@pytest.mark.parametrize("place", spellings())
@pytest.mark.parametrize("prefix", ["", "ב", "ל", "מ"])
def test_places_are_known_with_and_without_prefixes(place: str, prefix: str) -> None:
    if not re.search("[א-ת]", place) or len(words(place)[0]) < 2:
        prefix = ""
    spoken = words(f"{prefix}{place}")
    found = places_in(spoken)
    if prefix or len(spoken) > 1 or not any(each in place for each in AMBIGUOUS):
        assert [(each.start, each.end) for each in found] == [(0, len(spoken))]


AMBIGUOUS = ("רחובות", "שדרות", "מעלות", "ערד", "אלעד", "השרון", "הערבה", "אריאל")


@pytest.mark.parametrize("text", ["בית", "לב", "מים", "הורים", "שלום", "בתי ספר", "מחירים"])
def test_a_prefix_comes_off_only_where_a_place_is_left(text: str) -> None:
    assert places_in(words(text)) == []


def test_the_longest_place_wins() -> None:
    assert [each.place.key for each in places_in(words("מודיעין עילית"))] == ["modiin illit"]
    assert [each.place.key for each in places_in(words("מודיעין"))] == ["modiin"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("crime", "פשיעה"),
        ("hospital", "בית חולים"),
        ("רופאי שיניים", "dentist"),
        ("kosher", "כשרות"),
        ("taxi", "מוניות"),
    ],
)
def test_names_lead_both_ways(one: str, other: str) -> None:
    assert other in others(one)
    assert one in others(other)


def test_every_domain_has_its_names_and_no_name_stands_twice() -> None:
    groups = groups_by_domain()
    assert set(groups) == set(TERMS)
    names = Counter(fold(name) for each in groups.values() for group in each for name in group)
    assert [name for name, count in names.items() if count > 1] == []
    for domain, (hebrew, english) in TERMS.items():
        spelled = [bool(re.search("[א-ת]", name)) for group in groups[domain] for name in group]
        assert (sum(spelled) >= hebrew, len(spelled) - sum(spelled) >= english) == (True, True), domain
    assert all(any(fold(name).isascii() for name in group) for each in groups.values() for group in each)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("תאונות דרכים עם נפגעים", "traffic accident"),
        ("בבתי החולים הממשלתיים", "hospital"),
        ("desalinated water", "desalination"),
        ("שמורות טבע", "nature reserve"),
        ("waste water plants", "sewage"),
        ("groundwater wells", "borehole"),
    ],
)
def test_a_text_names_things_in_any_inflection(text: str, named: str) -> None:
    found = {names_of(group)[0] for match in mentions(words(text)) for group in match.groups}
    assert named in found


def test_a_word_that_is_known_as_it_stands_has_no_prefix() -> None:
    """The Hebrew word for "reserves" ends in the word for "teachers", but is not that word with a prefix."""
    found = {names_of(group)[0] for match in mentions(words("שמורות טבע")) for group in match.groups}
    assert "teacher" not in found


def test_of_names_within_each_other_the_longest_counts() -> None:
    found = longest(mentions(words("electric car accidents")))
    assert [(each.start, each.end) for each in found] == [(0, 2)]


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ("טלפון_מוסד", "phone"), ("telefon", "phone"), ("דוא\"ל", "email"), ("כתובת מלאה", "address"),
        ("SHEM_YISHUV", "city"), ("סמל_ישוב", "place_code"), ("סמל_רחוב", "identifier"), ("LAT", "coordinates"),
        ("X", "coordinates"), ("שעות קבלה", "hours"), ("mispar_rechev", "identifier"), ("מספר נוסעים", "quantity"),
        ("שכר חודשי", "price"), ("סכום", "money"), ("שנה", "year"), ("תאריך_החלטה", "date"), ("מחלקה", None),
        ("ציון ממוצע", "share"), ("expected", None), ("שם", "name"),
    ],
)  # fmt: skip
def test_what_a_column_holds_is_told_by_its_name(column: str, kind: str | None) -> None:
    assert kind_of_column(column) == kind


def test_prices_and_codes_are_not_added_up() -> None:
    assert not {"price", "share", "identifier", "year", "place_code"} & set(ADDED_UP)


def test_columns_are_taken_out_of_the_question() -> None:
    asked = asked_columns("opening hours of museums")
    assert asked.kinds == ["hours"]
    assert "museums" in asked.rest
    assert "hours" not in asked.rest


def test_where_something_is_can_be_told_in_two_ways() -> None:
    assert serves("address", ["coordinates"])
    assert not serves("phone", ["address"])
