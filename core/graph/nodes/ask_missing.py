"""Asks the user for an action's missing input: documents, or the text to audit."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.services import Services
from core.graph.state import State
from core.messages import message_group

_QUESTIONS = message_group("graph.ask_missing.questions")


async def ask_missing(_: Services, state: State) -> State:
    missing = state["missing"]
    question = "both" if missing == "second" and not state.get("document_ids") else missing
    reply = ask(Request(kind="text_input", question=_QUESTIONS[question].to(state["language"]), allows_text=True))
    if reply is None:
        return {"cancelled": True}
    if missing == "text":
        return {"source_text": reply.text, "missing": ""}
    return {"typed": reply.text, "missing": ""}
