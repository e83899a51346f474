from __future__ import annotations

import pytest

from core.events import Response
from core.graph.state import (
    STATE_TYPES,
    Asked,
    Found,
    Persistent,
    PerTurn,
    State,
    TurnAnswer,
    Waiting,
    fresh_turn,
)
from core.runs.records import Ask
from core.store.checkpoints import serializer

GROUPS = {"asked": Asked, "found": Found, "answer": TurnAnswer, "waiting": Waiting}


def test_a_turn_sets_every_field_of_its_own_and_none_of_the_thread() -> None:
    turn = fresh_turn("ada", "run", "conv", Ask(question="?", mode="quick"))
    persistent, per_turn = set(Persistent.__annotations__), set(PerTurn.__annotations__)
    assert set(turn) == per_turn == set(GROUPS)
    assert persistent.isdisjoint(turn)
    assert set(State.__annotations__) == persistent | per_turn
    assert {
        "conversation_docs",
        "recent_docs",
        "turns",
        "digest",
        "last_asked",
        "tone",
        "wishes",
        "last_queries",
        "last_unsure",
        "last_candidates",
    } == persistent
    assert all(turn[name].model_fields_set == set(group.model_fields) for name, group in GROUPS.items())  # type: ignore[literal-required]


def test_a_turn_understands_a_bounded_text_and_keeps_what_was_sent() -> None:
    asked = fresh_turn("ada", "run", "conv", Ask(question=f"{'a' * 900}\u00a0?", mode="quick"))["asked"]
    assert asked.text == f"{'a' * 100} ?"
    assert asked.ask.question == f"{'a' * 900}\u00a0?"


def test_a_change_keeps_the_fields_that_it_does_not_set() -> None:
    before = Found(confidence="high", awaited=["doc_1"])
    after = before | (Found(confidence="none") | Found(added=3))
    assert (after.confidence, after.awaited, after.added) == ("none", ["doc_1"], 3)
    assert before | Found().complete() == Found()


@pytest.mark.parametrize(
    "group",
    [
        Asked(text="?", ask=Ask(question="?", without=("organisation:Acme",))),
        Found(confidence="none"),
        TurnAnswer(response=Response(kind="told", text="Yes.", language="en")).complete(),
        Waiting(tries=1),
    ],
)
def test_a_saved_change_is_restored_as_the_same_change(group: Asked | Found | TurnAnswer | Waiting) -> None:
    saved = serializer(STATE_TYPES)
    restored = saved.loads_typed(saved.dumps_typed(group))
    assert (restored, restored.model_fields_set) == (group, group.model_fields_set)
