from __future__ import annotations

import pytest

from core.language.hebrew import is_hebrew, masculine, reflexive_root, related, variants
from core.language.places import find_place, is_place


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("לרכבים", {"לרכבים", "רכבים", "רכב"}),
        ("בירושלים", {"בירושלים", "ירושלים"}),
        ("בתי", {"בתי", "בית"}),
        ("מכוניות", {"מכוניות", "מכוני", "מכוניה", "כוניות"}),
        ("שולחנות", {"שולחן"}),
        ("שָׁלוֹם", {"שלום"}),
        ("hello", {"hello"}),
    ],
)
def test_variants(word: str, forms: set[str]) -> None:
    found = set(variants(word))
    assert found >= forms
    assert all(len(form) >= 2 for form in found)


def test_the_word_itself_comes_first() -> None:
    assert variants("בית")[0] == "בית"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("תלמיד", "לתלמידים", True),
        ("תקציב", "והתקציב", True),
        ("רכבים", "ברכב", True),
        ("תקציב", "תקרית", False),
        ("שמש", "שמן", False),
    ],
)
def test_related(one: str, other: str, expected: bool) -> None:
    assert related(one, other) is expected
    assert related(other, one) is expected


def test_places_are_known_in_every_spelling() -> None:
    spellings = ["ירושלים", "Jerusalem", "JERUSALEM", "jerusalem"]
    assert len({id(find_place(name)) for name in spellings}) == 1
    assert find_place("תל-אביב") == find_place("Tel Aviv") == find_place("תל אביב יפו")
    assert not is_place("בית")
    assert find_place("") is None


def test_is_hebrew() -> None:
    assert is_hebrew("ה-API")
    assert not is_hebrew("API")


@pytest.mark.parametrize("words", [("מתחסנים", "התחסנו", "להתחסן", "יתחסן"), ("מתנדבת", "התנדבות", "להתנדב")])
def test_a_reflexive_verb_is_one_in_its_forms(words: tuple[str, ...]) -> None:
    assert len({reflexive_root(word) for word in words}) == 1
    assert reflexive_root(words[0])


@pytest.mark.parametrize("word", ["מתקן", "רחובות", "hospital", "התאם"])
def test_what_is_no_reflexive_verb_has_no_root_of_one(word: str) -> None:
    assert reflexive_root(word) is None


def test_who_does_something_is_one_as_woman_and_man() -> None:
    assert masculine("דיאטנית") == "דיאטן"
    assert masculine("בית") is None
    assert masculine("רופא") is None
