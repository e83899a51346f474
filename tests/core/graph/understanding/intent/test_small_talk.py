"""Tests that messages without a request (greetings, thanks) are recognised, and no others."""

from __future__ import annotations

import pytest

from core.graph.understanding.intent.small_talk import social


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Hi!", "greeting"),
        ("Hello there", "greeting"),
        ("Good morning, Palimpsest.", "greeting"),
        ("שלום", "greeting"),
        ("Thanks!", "thanks"),
        ("תודה רבה", "thanks"),
        ("ok, great, thank you", "thanks"),
        ("Thank you so much, that's all", "bye"),
        ("להתראות", "bye"),
        ("I'm Dana, I audit vendors", "telling"),
        ("Hi, I'm Dana and I audit vendors.", "telling"),
        ("My name is Dana. I prefer short answers.", "telling"),
        ("אני דנה, אני מבקרת ספקים", "telling"),
        ("Tell me about it.", "vague"),
        ("What does it say?", "vague"),
        ("מה זה אומר?", "vague"),
    ],
)
def test_heard(message: str, kind: str) -> None:
    assert social(message) == kind


@pytest.mark.parametrize(
    "message",
    [
        "Good morning, what was the revenue?",
        "Thanks, and what about 2021?",
        "I prefer tables. What was revenue?",
        "I am the auditor of Nordwind, summarize the 10-K",
        "I'm an auditor and I want to know the revenue of Nordwind",
        "I need the travel policy",
        "Hello world policy",
        "Who are you?",
        "Tell me about hotels.",
        'Tell me about @"Travel policy"',
        "/help",
        "remember that I like tea",
        "Audit vendors",
        "great lakes water policy",
        "מה זה מע\"מ?",
    ],
)  # fmt: skip
def test_left_to_be_understood(message: str) -> None:
    assert social(message) is None
