from __future__ import annotations

import pytest

from core.graph.understanding.intent.web_phrases import web_part_of, without_web_order


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


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Compare the policy with what the web says about hotel prices", "hotel prices"),
        ("Summarize it, and what does the web say about the interest rate?", "the interest rate?"),
        ("Summarize it and search the web for the interest rate", "the interest rate"),
        ("השווה את הנוהל למה שכתוב באינטרנט על מחירי מלונות", "מחירי מלונות"),
        ("סכם את הנוהל וחפש באינטרנט את הריבית", "הריבית"),
        ("Compare the web policy with the contract", "Compare the web policy with the contract"),
    ],
)
def test_of_an_order_on_documents_the_part_of_the_web_is_searched_for(said: str, left: str) -> None:
    assert web_part_of(said) == left
