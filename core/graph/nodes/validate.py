"""What the action needs is there, or is asked for [spec A5]."""

from __future__ import annotations

import re

from core.events import Response
from core.graph.services import Services
from core.graph.state import Missing, Node, State
from core.graph.tracing import node_trace
from core.words import Words

_MENTION = re.compile(r'@"[^"\n]+"|@\S+')
LEAST_WORDS = 12
EMPTY = Words(
    en="Your library is empty, so there is nothing to work on yet. Add documents in the Library, or attach one here, "
    "and ask again.",
    he="הספרייה ריקה, ולכן אין עדיין על מה לעבוד. הוסיפו מסמכים בספרייה, או צרפו מסמך כאן, ושאלו שוב.",
)


def validate(services: Services) -> Node:
    async def node(state: State) -> State:
        _, trace = node_trace("v")
        with trace.step("validating"):
            library = {each.id for each in await services.library.find(state["user_id"]) if each.is_stored}
            there = [each for each in state.get("document_ids") or [] if each in library]
            if state["action"] in ("summarize", "compare", "audit") and not library:
                return {"document_ids": None, "missing": "", "response": _empty(state)}
            text = state["source_text"] or _source_text(state["question"])
            missing = _missing(state, there, text)
        return {"document_ids": there or None, "missing": missing, "source_text": text}

    return node


def _missing(state: State, there: list[str], text: str) -> Missing:
    match state["action"]:
        case "summarize":
            return "" if there else "document"
        case "compare":
            return "" if len(there) > 1 else "second"
        case "audit":
            return "text" if not text else ("" if there else "target")
    return "tag" if state["retrieval_choice"] == "tag" and not there else ""


def _source_text(question: str) -> str:
    text = _MENTION.sub("", question).strip()
    return text if len(text.split()) >= LEAST_WORDS else ""


def _empty(state: State) -> Response:
    return Response(kind="told", text=EMPTY.to(state["language"]), language=state["language"], action=state["action"])
