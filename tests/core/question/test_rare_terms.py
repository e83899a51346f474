"""Tests names in a question, and capital letters that do not make a name."""

from __future__ import annotations

from core.question.rare_terms import rare_terms


def test_a_month_is_no_name() -> None:
    assert rare_terms("What was the revenue of desks in March?") == []
    assert rare_terms("What was the revenue of Orlan in March?") == ["Orlan"]


def test_a_name_may_begin_with_a_small_letter() -> None:
    assert rare_terms("And for iPhone?") == ["iPhone"]
    assert rare_terms("What did eBay and מהOrlan report?") == ["eBay", "Orlan"]
