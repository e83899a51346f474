"""Tests that words about time and news, in both languages, become web search parameters."""

from __future__ import annotations

import pytest

from core.graph.tools.web_queries import time_arguments


@pytest.mark.parametrize(
    ("english", "hebrew", "days"),
    [
        ("what happened today in Haifa", "מה קרה היום בחיפה", 2),
        ("the exchange rate this week", "שער הדולר השבוע", 7),
        ("latest rulings on subletting", "פסיקות אחרונות על שכירות משנה", 31),
        ("prices in the last 10 days", "מחירים ב-10 ימים אחרונים", 10),
    ],
)
def test_words_of_time_and_news_are_of_both_languages(english: str, hebrew: str, days: int) -> None:
    assert time_arguments(english, "enhanced").get("days") == time_arguments(hebrew, "enhanced").get("days") == days


def test_news_is_a_topic_of_both_languages() -> None:
    for question in ("news about semiconductor tariffs", "חדשות על מכסים על שבבים"):
        assert time_arguments(question, "enhanced")["topic"] == "news"
