"""Keeps the turn for the history of the thread; a cancelled one leaves nothing behind but the documents it named."""

from __future__ import annotations

import re

from core.graph.registry import remembered
from core.graph.services import Services
from core.graph.state import Node, PastTurn, State

ANSWER_CHARACTERS = 300
_MARKERS = re.compile(r"\s*\[(\d{1,3})\]")


def finish(services: Services) -> Node:
    async def node(state: State) -> State:
        library = await services.library.find(state["user_id"], conversation_id=state["conversation_id"])
        names = remembered(state.get("conversation_docs", {}), spoken_of(state), library)
        if state.get("cancelled"):
            return {"conversation_docs": names}
        response = state.get("response")
        answer = _MARKERS.sub("", response.text)[:ANSWER_CHARACTERS] if response else ""
        recent = list(dict.fromkeys(spoken_of(state)))
        return {
            "conversation_docs": names,
            "recent_docs": recent,
            "turns": [PastTurn(question=state["question"], answer=answer)],
        }

    return node


def spoken_of(state: State) -> list[str]:
    """The documents that were named, and those that the answer cites."""
    response = state.get("response")
    if response is None:
        return state.get("document_ids") or []
    cited = {int(number) for number in _MARKERS.findall(response.text)} | {quote.number for quote in response.quotes}
    return [
        *(state.get("document_ids") or []),
        *(source.document_id for source in state["sources"] if source.number in cited),
    ]
