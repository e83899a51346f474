"""Asks what is meant by a question that says nothing of it ("tell me about it")."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.state import Node, State
from core.messages import message

WHAT = message("graph.ask_subject.what")


def ask_subject() -> Node:
    """What is typed takes the place of the question."""

    async def node(state: State) -> State:
        reply = ask(Request(kind="text_input", question=WHAT.to(state["language"]), allows_text=True))
        if reply is None:
            return {"cancelled": True}
        return {"question": reply.text, "missing": ""}

    return node
