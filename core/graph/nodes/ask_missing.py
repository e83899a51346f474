"""Asks the user for an action's missing input: documents, or the text to audit."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.messages import message_group

_QUESTIONS = message_group("graph.ask_missing.questions")


async def ask_missing(_: Services, state: State) -> State:
    missing = state["waiting"].missing
    question = "both" if missing == "second" and not state["asked"].document_ids else missing
    reply = ask(Request(kind="text_input", question=_QUESTIONS[question].to(state["asked"].language), allows_text=True))
    if reply is None:
        return {"answer": TurnAnswer(cancelled=True)}
    if missing == "text":
        return {"asked": Asked(source_text=reply.text), "waiting": Waiting(missing="")}
    return {"waiting": Waiting(typed=reply.text, missing="")}
