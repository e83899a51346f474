"""Keeps the turn for the history of the thread; a cancelled one leaves nothing behind."""

from __future__ import annotations

import re

from core.graph.state import Node, PastTurn, State

ANSWER_CHARACTERS = 300
_MARKERS = re.compile(r"\s*\[\d{1,3}\]")


def finish() -> Node:
    async def node(state: State) -> State:
        if state.get("cancelled"):
            return {}
        response = state.get("response")
        answer = _MARKERS.sub("", response.text)[:ANSWER_CHARACTERS] if response else ""
        return {"turns": [PastTurn(question=state["question"], answer=answer)]}

    return node
