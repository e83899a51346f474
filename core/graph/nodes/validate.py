"""Checks that the action has all its inputs, or asks for them."""

from __future__ import annotations

from core.events import Notice, Response
from core.graph.answering.attachments import text_of
from core.graph.services import Services
from core.graph.state import State
from core.graph.tracing import node_trace
from core.graph.understanding.intent.web_need import asks_web
from core.graph.understanding.validation import Inputs, Validated
from core.graph.understanding.validation import validate as hold
from core.library.records import Document
from core.messages import message

EMPTY = message("graph.validate.empty")
UNREAD = message("graph.validate.unread")


async def validate(services: Services, state: State) -> State:
    emit, trace = node_trace("v")
    with trace.step("validating"):
        inputs = await _inputs(services, state)
        found = hold(inputs)
        text = "\n\n".join([await text_of(services, state["user_id"], each) for each in found.source_ids])
    for words in found.notices:
        emit(Notice(words=words))
    if found.empty or found.unread:
        return {"document_ids": None, "missing": "", "response": _refusal(state, inputs, found)}
    return {
        "document_ids": list(found.document_ids) or None,
        "action": found.action,
        "missing": found.missing,
        "source_text": found.source_text or text,
        "web": found.web,
    }


async def _inputs(services: Services, state: State) -> Inputs:
    seen = await services.library.find(state["user_id"], conversation_id=state["conversation_id"])
    attached = [each for each in seen[::-1] if each.scope == state["conversation_id"]]
    intent = state["intent"]
    return Inputs(
        action=state["action"],
        text=state["question"],
        insisted=bool((intent and intent.explicit) or state["later"] or state["tries"]),
        named=tuple(state.get("document_ids") or []),
        there=frozenset(each.id for each in seen if each.is_stored),
        attached=tuple(each.id for each in attached if each.is_stored),
        reading=tuple(each.filename for each in attached if _is_being_read(each)),
        source_text=state["source_text"],
        wants_web=state["web"],
        asks_web=asks_web(state["question"]),
        narrows=state["retrieval_choice"] == "tag",
    )


def _is_being_read(document: Document) -> bool:
    return not document.is_stored and document.state in ("pending", "processing")


def _refusal(state: State, inputs: Inputs, found: Validated) -> Response:
    words = EMPTY if found.empty else UNREAD
    text = words.to(state["language"]).format(", ".join(inputs.reading))
    return Response(kind="told", text=text, language=state["language"], action=state["action"])
