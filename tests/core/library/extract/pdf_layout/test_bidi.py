from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.extract.pdf_layout.bidi import (
    clusters_of,
    letters_are_reversed,
    logical,
    logical_lines,
    reads_right_to_left,
    unreversed_words,
)


@pytest.mark.parametrize(
    ("seen", "read"),
    [
        ("םלוע םולש", "שלום עולם"),
        ("21 ןב", "בן 21"),
        ("12/05/2024 ךיראתב", "בתאריך 12/05/2024"),
        ("1,250.75 לש ךס", "סך של 1,250.75"),
        ("50% לש החנה", "הנחה של 50%"),
        ("15–10 םידומע", "עמודים 10–15"),
        ("ןורחא Windows 10 Pro םע", "עם Windows 10 Pro אחרון"),
        ("+972-3-5551234 ןופלט", "טלפון +972-3-5551234"),
        ("דומיל Python .1", "1. Python לימוד"),
        (".(1991", "1991)."),
        ("f(x) היצקנופה", "הפונקציה f(x)"),
        ("dana@example.com ראוד", "דואר dana@example.com"),
    ],
)
def test_a_line_of_a_hebrew_page_is_read_from_the_right(seen: str, read: str) -> None:
    assert logical(list(seen), right_to_left=True) == read


@pytest.mark.parametrize("seen", ["ףוס (NLD) המדקה", "ףוס )NLD( המדקה", "ףוס (NLD( המדקה", "ףוס )NLD) המדקה"])
def test_brackets_come_out_as_meant_whatever_the_producer_stored(seen: str) -> None:
    assert logical(list(seen), right_to_left=True) == "הקדמה (NLD) סוף"


def test_hebrew_in_an_english_line_is_turned_alone() -> None:
    assert logical(list("The word םולש means peace"), right_to_left=False) == "The word שלום means peace"
    assert logical(list("Both 12 םולש בר here"), right_to_left=False) == "Both 12 רב שלום here"


def test_an_english_line_in_a_hebrew_document_stays() -> None:
    assert logical(list("Hello (world)."), right_to_left=True) == "Hello (world)."


def test_marks_stay_on_their_letters() -> None:
    assert clusters_of("שָׁלוֹם") == ["שָׁ", "ל", "וֹ", "ם"]
    assert logical(clusters_of("שָׁלוֹם")[::-1], right_to_left=True) == "שָׁלוֹם"


def test_final_letters_at_the_beginning_give_reversed_words_away() -> None:
    assert letters_are_reversed("םולש םלוע ןאכ םישנא")
    assert not letters_are_reversed("שלום עולם כאן אנשים")
    assert unreversed_words("םולש world םלוע") == "שלום world עולם"


def test_a_text_stored_as_it_looks_is_set_right() -> None:
    assert logical_lines("םלוע םולש\nינש רוש") == "שלום עולם\nשור שני"


def test_direction_is_that_of_most_letters() -> None:
    assert reads_right_to_left(["שלום לכולם", "PDF"])
    assert not reads_right_to_left(["hello", "שם"])
    assert not reads_right_to_left(["123"])


@given(st.text(alphabet="אבגדהםן ab1.,-()\"'", max_size=40), st.booleans())
def test_no_letter_is_lost_or_added(seen: str, right_to_left: bool) -> None:
    brackets = str.maketrans("", "", "()")
    read = logical(list(seen), right_to_left)
    assert sorted(read.translate(brackets)) == sorted(seen.translate(brackets))
    assert len(read) == len(seen)


@given(st.lists(st.text(alphabet="אבגדהוזחטי", min_size=1, max_size=8), min_size=1, max_size=6))
def test_pure_hebrew_is_exactly_mirrored(words: list[str]) -> None:
    line = " ".join(words)
    assert logical(list(line[::-1]), right_to_left=True) == line
