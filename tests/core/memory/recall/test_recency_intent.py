from __future__ import annotations

import pytest

from core.memory.recall.recency_intent import asks_for_the_latest


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did we decide last time?", True),
        ("Anything recent on the tender?", True),
        ("When did we sign?", True),
        ("מה סיכמנו אתמול?", True),
        ("מה נאמר לאחרונה על המכרז?", True),
        ("What lasting effect has the policy?", False),
        ("The breakfast allowance", False),
        ("What is the hotel limit?", False),
        ("מהי תקרת הלינה?", False),
        ("היומן של הפרויקט", False),
    ],
)
def test_whether_the_latest_is_meant(question: str, expected: bool) -> None:
    assert asks_for_the_latest(question) is expected
