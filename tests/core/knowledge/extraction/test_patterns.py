"""Tests dates in the knowledge graph: each has its text as label, and a key from the shared date grammar."""

import pytest

from core.knowledge.extraction.patterns import find


@pytest.mark.parametrize(
    ("text", "label", "key"),
    [
        ("Opened on 9 May 2031.", "9 May 2031", "2031-05-09"),
        ("It closes in May.", "May", "any-05"),
        ("ב-2 באוגוסט 2031 נפתח", "2 באוגוסט 2031", "2031-08-02"),
        ("In June of 2031 we met", "June of 2031", "2031-06"),
        ("Sales in Q3 2031 fell", "Q3 2031", "2031-Q3"),
        ("letter_dated-2031-01-04.pdf", "2031-01-04", "2031-01-04"),
        ("We were there in 2031.", "2031", "2031"),
    ],
)
def test_a_date_has_its_label_and_key(text: str, label: str, key: str) -> None:
    assert [(span.label, span.key) for span in find(text) if span.kind == "date"] == [(label, key)]


@pytest.mark.parametrize("text", ["they may march", "Version 1.2.3.4", "We may. March on"])
def test_other_words_and_numbers_are_no_dates(text: str) -> None:
    assert not [span for span in find(text) if span.kind == "date"]
