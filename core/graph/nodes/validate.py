"""What the action needs is there, or is asked for [spec A5]."""

from __future__ import annotations

import re

from core.events import Action, Response
from core.graph.intent.rules import read
from core.graph.resolution.mentions import without_mentions
from core.graph.services import Services
from core.graph.state import Missing, Node, State
from core.graph.tracing import node_trace
from core.words import Words

LEAST_WORDS = 5
_LEAD = re.compile(r"[^\n:.!?]*[\n:.!?]\s*")
"""The sentence that says what to do with the text after it."""
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
            action = _possible(state, there)
            missing = _missing(action, state, there, text)
        return {"document_ids": there or None, "action": action, "missing": missing, "source_text": text}

    return node


def _possible(state: State, there: list[str]) -> Action:
    """A comparison of nothing in particular is a question, unless it was picked by hand or chosen."""
    intent = state["intent"]
    insisted = (intent and intent.explicit) or state["later"] or state["tries"] or there
    return "inquire" if state["action"] == "compare" and not insisted else state["action"]


def _missing(action: Action, state: State, there: list[str], text: str) -> Missing:
    match action:
        case "summarize":
            return "" if there else "document"
        case "compare":
            return "" if len(there) > 1 else "second"
        case "audit":
            return "text" if not text else ("" if there else "target")
    return "tag" if state["retrieval_choice"] == "tag" and not there else ""


def _source_text(question: str) -> str:
    """What stands after the order to audit it; the order alone is no text."""
    text = without_mentions(question)
    lead = _LEAD.match(text)
    if lead and "audit" in read(lead.group()).wanted:
        text = text[lead.end() :]
    elif not lead and "audit" in read(text).wanted:
        return ""
    return text if len(text.split()) >= LEAST_WORDS else ""


def _empty(state: State) -> Response:
    return Response(kind="told", text=EMPTY.to(state["language"]), language=state["language"], action=state["action"])
