"""Tests what a message orders to remember, without the words of the order."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from core.graph.memory.orders import command_of
from core.graph.records import Command
from core.graph.state import State
from core.question.analysed import analysed


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ("My budget is 40,000 dollars, please remember that.", "My budget is 40,000 dollars"),
        ("התקציב שלי 40,000, תזכור את זה", "התקציב שלי 40,000"),
        ("I never fly.", "I never fly."),
    ],
)
def test_a_recognised_order_is_kept_without_its_words(message: str, fact: str) -> None:
    intent = SimpleNamespace(command=Command(kind="remember", text=message))
    asked = SimpleNamespace(
        intent=intent, ask=SimpleNamespace(question=message), question=analysed(message), text=message
    )
    command = command_of(cast(State, {"asked": asked}))
    assert command is not None
    assert command.text == fact
