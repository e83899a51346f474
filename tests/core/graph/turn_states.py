"""Builds the state of a turn for tests of nodes."""

from __future__ import annotations

from core.graph.state import Asked, Found, State, TurnAnswer, Waiting, fresh_turn
from core.runs.records import Ask


def turn_of(question: str = "?", *changes: Asked | Found | TurnAnswer | Waiting) -> State:
    """Returns a new turn of "ada" with ``changes`` to its groups; the options are those of ``Ask``."""
    return changed(fresh_turn("ada", "run_1", "conv_1", Ask(question=question)), *changes)


def changed(state: State, *changes: Asked | Found | TurnAnswer | Waiting) -> State:
    """Returns the state after a node returned these changes."""
    state = {**state}
    for each in changes:
        match each:
            case Asked():
                state["asked"] = state["asked"] | each
            case Found():
                state["found"] = state["found"] | each
            case TurnAnswer():
                state["answer"] = state["answer"] | each
            case Waiting():
                state["waiting"] = state["waiting"] | each
    return state
