"""Tests how a message's tone is detected from its wording."""

from __future__ import annotations

import pytest

from core.graph.understanding.tone import tone_of


@pytest.mark.parametrize(
    ("message", "tone", "sure"),
    [
        ("What is the limit for a hotel night?", "neutral", True),
        ("I would be grateful if you could state the limit for a hotel night.", "formal", True),
        ("hey, whats the limit for a hotel? thx", "casual", True),
        ("I need this in ten minutes: the limit for a hotel night.", "urgent", True),
        ("This is the third useless answer about the limit.", "upset", True),
        ("Sorry, what is the limit?", "neutral", False),
        ("What is the limit??", "neutral", False),
        ("hey, I'm fed up with this", "neutral", False),
        ("מה התקרה ללילה במלון?", "neutral", True),
        ("אבקש לדעת מהי התקרה ללילה במלון. בברכה, נועה", "formal", True),
        ("אהלן, מה התקרה למלון?", "casual", True),
        ("דחוף: מה התקרה למלון?", "urgent", True),
        ("נמאס לי, מה התקרה למלון?", "upset", True),
        ("סליחה, מה התקרה?", "neutral", False),
    ],
)
def test_signs(message: str, tone: str, sure: bool) -> None:
    assert tone_of(message) == (tone, sure)
