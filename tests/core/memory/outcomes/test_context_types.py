from __future__ import annotations

import pytest

from core.memory.outcomes.context_types import GENERAL, detect_context_type


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Compare the travel policy with the procurement rules", "comparison"),
        ("Does this e-mail comply with our travel policy?", "audit"),
        ("Why does this traceback say the import fails?", "debugging"),
        ("Give me an overview, just the key points", "summary"),
        ("What does the contract say about notice, and on which page?", "doc_rag"),
        ("How many rows have a total above 500?", "data_query"),
        ("What did we discuss last time?", "memory"),
        ("Good morning", GENERAL),
        ("השווה בין נוהל הנסיעות לנוהל הרכש", "comparison"),
        ("האם המייל תואם את ההנחיות?", "audit"),
        ("סכם את הדוח", "summary"),
        ("באיזה סעיף בחוזה זה כתוב?", "doc_rag"),
        ("שלום", GENERAL),
    ],
)
def test_what_a_message_is_about(text: str, expected: str) -> None:
    assert detect_context_type(text) == expected


def test_a_word_inside_another_is_not_that_word() -> None:
    assert detect_context_type("The recoded tablespoon apiary") == GENERAL
