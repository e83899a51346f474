"""Separates an order on documents from a question in the same message; both are carried out without asking which."""

from __future__ import annotations

from core.events import Action
from core.graph.records import Intent
from core.graph.understanding.intent.rules import clauses, read_clause


def order_beside_question(intent: Intent) -> Action | None:
    """Returns the order of a message that otherwise only asks; ``None`` if it has several orders or none."""
    orders = [each for each in intent.alternatives if each != "inquire"]
    return orders[0] if intent.several and len(orders) == 1 and "inquire" in intent.alternatives else None


def question_beside_order(message: str) -> str:
    """Returns the clauses that ask.

    >>> question_beside_order("Summarize the offer. Who wrote it?")
    'Who wrote it?'
    """
    return " ".join(each for each in clauses(message) if read_clause(each).kind == "question")
