"""Tests where the answer to a message comes from, decided from its intent."""

from __future__ import annotations

import pytest

from core.graph.records import Command, Intent
from core.graph.understanding.destinations.of_intent import destination_of
from core.question.destination import Place, Wish

WEB = Wish(place="web")


def _intent(action: str = "inquire", **more: object) -> Intent:
    return Intent.model_validate({"action": action, "confidence": "high", "how": "rule", "text": "", **more})


@pytest.mark.parametrize(
    ("intent", "beyond", "place"),
    [
        (_intent("memory", command=Command(kind="forget", text="my name")), [], "forget"),
        (_intent("memory", command=Command(kind="recall")), [], "memory"),
        (_intent("summarize"), [WEB], "summarize"),
        (_intent(), [WEB], "web"),
        (_intent(), [Wish(place="tool", tool="clock")], "tool"),
        (_intent(), [], "documents"),
    ],
)
def test_a_message_goes_to_one_place(intent: Intent, beyond: list[Wish], place: Place) -> None:
    assert destination_of(intent, None, beyond).place == place


def test_what_else_a_message_wants_is_kept() -> None:
    assert destination_of(_intent("summarize"), None, [WEB]).more == (WEB,)


def test_an_intent_between_two_actions_is_not_sure() -> None:
    unclear = _intent(alternatives=("inquire", "summarize"))
    assert not destination_of(unclear, None, []).sure
    assert destination_of(unclear, "inquire", []).sure
