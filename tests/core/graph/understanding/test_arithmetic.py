from __future__ import annotations

import pytest

from core.graph.understanding.arithmetic import calculated


@pytest.mark.parametrize(
    ("message", "shown", "result"),
    [
        ("What is 17.5 percent of 4350?", "17.5 / 100 × 4,350", "761.25"),
        ("כמה זה 12*7", "12 × 7", "84"),
        ("כמה זה 15% מ-200?", "15 / 100 × 200", "30"),
        ("how much is (1,250 + 30) divided by 8", "(1,250 + 30) / 8", "160"),
    ],
)
def test_arithmetic_that_a_message_gives_completely_is_computed(message: str, shown: str, result: str) -> None:
    found = calculated(message)
    assert found
    assert (found.shown, found.result, found.exact) == (shown, result, True)


@pytest.mark.parametrize(
    "message", ["12/03/2025", "2024-2025", "3-4", "How much is 12 pages?", "What is 5?", "5/0", "9**99", "4350 + 17%"]
)
def test_anything_else_is_not_computed(message: str) -> None:
    assert calculated(message) is None
