from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, repeat

from core.memory.lifecycle.promotion_triggers import MESSAGES_APART, PromotionTriggers
from core.runs.shared_round import EVERYONE

HALF_AN_HOUR = 1_800.0


def triggers(calls: list[int], now: Iterator[float] | None = None) -> PromotionTriggers:
    """Promotion triggers after every user's initial promotion run."""
    made = PromotionTriggers(3, HALF_AN_HOUR, lambda: next(now) if now else 0.0, lambda: calls.append(1))
    assert made.take() == EVERYONE
    return made


def test_messages_and_changes_of_conversation_are_occasions() -> None:
    calls: list[int] = []
    occasions = triggers(calls)
    for conversation in ("a", "a", "a"):
        occasions.message("ada", conversation)
    assert len(calls) == 1
    occasions.message("bob", "b")
    occasions.message("bob", "c")
    assert len(calls) == 2
    assert occasions.take() == "ada"


def test_a_conversation_for_every_question_is_an_occasion_once_in_a_while() -> None:
    calls: list[int] = []
    moments = [0.0, 1.0, 2.0, 3.0, MESSAGES_APART + 1]
    occasions = triggers(calls, chain(moments, repeat(MESSAGES_APART + 1)))
    for conversation in "abcd":
        occasions.message("ada", conversation)
    assert len(calls) == 1
    occasions.message("ada", "d")
    assert len(calls) == 2


def test_an_occasion_is_for_who_gave_it() -> None:
    occasions = triggers([])
    occasions.due("bob")
    occasions.due("ada")
    occasions.due("ada")
    assert [occasions.take() for _ in range(3)] == ["ada", "bob", None]


def test_everyone_has_a_turn_from_time_to_time() -> None:
    occasions = triggers([], chain([0.0, 1.0, HALF_AN_HOUR], repeat(HALF_AN_HOUR + 1)))
    assert [occasions.take() for _ in range(3)] == [None, EVERYONE, None]


def test_who_is_told_of_is_due_at_once() -> None:
    calls: list[int] = []
    occasions = triggers(calls)
    occasions.due(EVERYONE)
    assert (calls, occasions.take(), occasions.take()) == ([1], EVERYONE, None)
