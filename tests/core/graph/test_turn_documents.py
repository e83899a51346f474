"""Tests that a turn lists its documents once, and again after it has waited for some."""

from __future__ import annotations

from typing import Any, cast

from core.graph.state import Asked, State
from core.graph.turn_documents import TurnDocuments


class Catalogue:
    """Counts how often the documents are listed."""

    def __init__(self) -> None:
        self.listed = self.asked = 0

    async def find(self, user_id: str, *, conversation_id: str) -> list[str]:
        self.listed += 1
        return [f"{user_id} {conversation_id} {self.listed}"]

    async def known(self, user_id: str, conversation_id: str) -> list[str]:
        self.asked += 1
        return [f"{user_id} {conversation_id} {self.asked}"]


async def test_documents_are_listed_again_only_after_a_wait() -> None:
    state = State(asked=Asked(user_id="ada", conversation_id="c1"))
    catalogue = cast(Any, Catalogue())
    turn = TurnDocuments(catalogue, catalogue)
    assert [*await turn.listed(state), *await turn.listed(state)] == ["ada c1 1"] * 2
    assert [*await turn.known(state), *await turn.known(state)] == ["ada c1 1"] * 2
    turn.renew()
    assert [*await turn.listed(state), *await turn.known(state)] == ["ada c1 2"] * 2
