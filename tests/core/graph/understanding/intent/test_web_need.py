from __future__ import annotations

from datetime import date

import pytest

from core.graph.understanding.intent.web_need import web_wish

TODAY = date(2031, 3, 1)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("the latest regulations", "temporal"),
        ("what is the VAT rate now?", "temporal"),
        ("what will change in 2031?", "temporal"),
        ("what changed in 2026?", None),
        ("the 2031 policy", None),
        ('what does @"Budget 2031" say', None),
        ("search the web for Pelagit", "asked"),
        ("don't search the web for it, is it current?", None),
        ("price of copper", "facts"),
        ("what is the price of the service in the contract", None),
        ("Do you know the current tenant we have", None),
        ("the knowledge base", None),
        ("currently", "temporal"),
        ("concurrently", None),
        ("we recently discussed the latest rate", None),
        ("last time you said it is current", None),
        ("analyze this image: what is the current reading", None),
        ("search the web for what is in this image", None),
        ("מה השער היום", "temporal"),
        ("היומן של החברה", None),
        ("התקנות העדכניות", "temporal"),
        ("מה סיכמנו לאחרונה", None),
        ("בתמונה המצורפת, מה התאריך היום", None),
        ("חפש באינטרנט", "asked"),
        ("compare it with what the web says about hotels", "asked"),
        ("what does the internet say about hotels?", "asked"),
        ("השווה למה שכתוב ברשת על מלונות", "asked"),
        ("what does the web policy say?", None),
    ],
)
def test_why_the_web_is_wished_for(text: str, why: str | None) -> None:
    assert web_wish(text, TODAY) == why
