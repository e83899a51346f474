from __future__ import annotations

import pytest

from core.graph.wording import asked_actions

MESSAGES = {
    "What is the limit for a hotel night?": [],
    "What does the audit say?": [],
    "What is the summary of changes?": [],
    "How do the policies compare?": [],
    "When did they compare the offers?": [],
    "Summarize the contract": ["summarize"],
    "Can you summarise it, please?": ["summarize"],
    "Give me a short summary of the memo": ["summarize"],
    "Summarize what the report says about leaks": [],
    "Compare the two policies": ["compare"],
    "Please check this e-mail against the travel policy": ["audit"],
    "Audit the text below": ["audit"],
    "Summarize and audit this document": ["summarize", "audit"],
    "Compare the policies and then summarize the newer one": ["compare", "summarize"],
    "סכמו את המזכר": ["summarize"],
    "אפשר לסכם את החוזה?": ["summarize"],
    "השוו בין הנהלים וסכמו אותם": ["compare", "summarize"],
    "בדקו את המייל מול הנוהל": ["audit"],
    "מה היו תוצאות הביקורת?": [],
    "מה ההבדל בין השנים?": [],
}


@pytest.mark.parametrize("message", MESSAGES)
def test_actions_are_what_the_message_asks_to_be_done(message: str) -> None:
    assert asked_actions(message) == MESSAGES[message]
