from __future__ import annotations

import pytest

from core.graph.understanding.intent.web_phrases import without_web_order


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Search the web: what is the interest rate?", "what is the interest rate?"),
        ("Search for the interest rate on the web", "the interest rate"),
        ("What is the interest rate? Search the web.", "What is the interest rate"),
        ("Please look online for the interest rate", "the interest rate"),
        ("חפשו באינטרנט את הריבית", "הריבית"),
        ("תחפשי ברשת את הריבית", "הריבית"),
        ("מהי הריבית? תבדקו באינטרנט", "מהי הריבית"),
        ("What does the web policy say?", "What does the web policy say?"),
        ("Search the web", "Search the web"),
    ],
)
def test_the_order_goes_and_the_subject_stays(said: str, left: str) -> None:
    assert without_web_order(said) == left
