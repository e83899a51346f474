from __future__ import annotations

from core.graph.state import Persistent, PerTurn, State, as_sent, fresh_turn


def test_a_turn_sets_every_field_of_its_own_and_none_of_the_thread() -> None:
    turn = fresh_turn(
        user_id="ada", run_id="run", conversation_id="conv", question="?", mode="quick", model=None, document_ids=None
    )
    persistent, per_turn = set(Persistent.__annotations__), set(PerTurn.__annotations__)
    assert set(turn) == per_turn
    assert persistent.isdisjoint(turn)
    assert set(State.__annotations__) == persistent | per_turn
    assert {"conversation_docs", "recent_docs", "turns", "digest", "last_asked", "tone", "wishes"} == persistent


def test_a_turn_understands_a_bounded_text_and_keeps_what_was_sent() -> None:
    turn = fresh_turn(
        user_id="ada", run_id="run", conversation_id="conv", question=f"{'a' * 900}\u00a0?", mode="quick", model=None
    )
    assert turn["question"] == f"{'a' * 100} ?"
    assert as_sent(turn) == f"{'a' * 900}\u00a0?"
