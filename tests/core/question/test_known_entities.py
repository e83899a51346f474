"""Tests the organisations that a question names in another script."""

import pytest

from core.question.known_entities import KnownDocument, organisations_in

KNOWN = [
    KnownDocument("1", "a.pdf", names=("Apple Inc.", "Apple")),
    KnownDocument("2", "b.pdf", names=("Microsoft Corporation", "Microsoft")),
    KnownDocument("3", "c.pdf", names=("Calla Ltd.", "Calla")),
]


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("מה היו ההכנסות של אפל ברבעון השני?", {"1"}),
        ("השווה את אפל ומיקרוסופט", {"1", "2"}),
        ("החדר היה אפל", set()),
        ("הצג את כלל הנתונים", set()),
    ],
)
def test_a_latin_name_in_hebrew_letters_is_found_where_it_is_marked_as_a_name(question: str, named: set[str]) -> None:
    assert {each.document_id for each in organisations_in(question, KNOWN)} == named
