"""Asks for what an action still lacks: documents, or the text to audit."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.state import Node, State
from core.messages import message
from core.words import Words

_QUESTIONS: dict[str, Words] = {
    "document": message("graph.ask_missing.questions.document"),
    "second": message("graph.ask_missing.questions.second"),
    "both": message("graph.ask_missing.questions.both"),
    "target": message("graph.ask_missing.questions.target"),
    "text": message("graph.ask_missing.questions.text"),
    "tag": message("graph.ask_missing.questions.tag"),
}


def ask_missing() -> Node:
    async def node(state: State) -> State:
        missing = state["missing"]
        question = "both" if missing == "second" and not state.get("document_ids") else missing
        reply = ask(Request(kind="text_input", question=_QUESTIONS[question].to(state["language"]), allows_text=True))
        if reply is None:
            return {"cancelled": True}
        if missing == "text":
            return {"source_text": reply.text, "missing": ""}
        return {"typed": reply.text, "missing": ""}

    return node
