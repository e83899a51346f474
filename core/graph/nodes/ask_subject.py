"""Asks the user what a question without a subject is about ("tell me about it")."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.messages import message

WHAT = message("graph.ask_subject.what")


async def ask_subject(_: Services, state: State) -> State:
    """Asks the user, and replaces the question with the typed reply."""
    reply = ask(Request(kind="text_input", question=WHAT.to(state["asked"].language), allows_text=True))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    return {"asked": Asked(text=reply.text), "waiting": Waiting(missing="")}
