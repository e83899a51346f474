"""Checks that the action has all its inputs, or asks for them."""

from __future__ import annotations

import asyncio
from collections import Counter

from core.events import Notice, Response, Source
from core.graph.answering.attachments import text_of
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer, Waiting
from core.graph.tracing import node_trace
from core.graph.understanding.intent.rules import read
from core.graph.understanding.intent.web_need import asks_web
from core.graph.understanding.validation import Inputs, Validated
from core.graph.understanding.validation import validate as hold
from core.library.records import Document
from core.messages import message
from core.resilience.dependencies import Deadline
from core.review.actions.clauses import split_clauses
from core.review.lexicon import keys
from core.search.documents.search import DocumentQuery

MOST_SEARCHED = 8
"""Maximum number of clauses of a text to audit with which documents are searched."""
MOST_BEARING = 3
"""Maximum number of documents that a text is checked against if none was named."""
_SHARED, _LEAST_SHARED = 0.5, 2
"""Minimum share and number of a clause's terms in a passage that bears on it."""

EMPTY = message("graph.validate.empty")
UNREAD = message("graph.validate.unread")


async def validate(services: Services, state: State) -> State:
    emit, trace = node_trace("v")
    with trace.step("validating"):
        inputs = await _inputs(services, state)
        found = hold(inputs)
        text = "\n\n".join([await text_of(services, state["asked"].user_id, each) for each in found.source_ids])
        if found.missing == "target" and _is_pasted(state):
            bearing = await _bearing_on(services, state, found.source_text)
            found = found.model_copy(update={"document_ids": bearing, "missing": "" if bearing else "target"})
    for words in found.notices:
        emit(Notice(words=words))
    if found.empty or found.unread:
        return {
            "asked": Asked(question=state["asked"].question.naming(None)),
            "waiting": Waiting(missing=""),
            "answer": TurnAnswer(response=_refusal(state, inputs, found)),
        }
    return {
        "asked": Asked(
            question=state["asked"].question.routed(found.action).naming(found.document_ids or None),
            source_text=found.source_text or text,
            web=found.web,
        ),
        "waiting": Waiting(missing=found.missing),
    }


async def _inputs(services: Services, state: State) -> Inputs:
    seen = await services.turn.listed(state)
    attached = [each for each in seen[::-1] if each.scope == state["asked"].conversation_id]
    intent = state["asked"].intent
    return Inputs(
        action=state["asked"].action,
        text=state["asked"].text,
        insisted=bool((intent and intent.explicit) or state["asked"].later or state["waiting"].tries),
        named=tuple(state["asked"].document_ids or []),
        there=frozenset(each.id for each in seen if each.is_stored),
        attached=tuple(each.id for each in attached if each.is_stored),
        reading=tuple(each.filename for each in attached if _is_being_read(each)),
        source_text=state["asked"].source_text,
        wants_web=state["asked"].web,
        asks_web=asks_web(state["asked"].text),
        narrows=state["waiting"].retrieval_choice == "tag",
    )


def _is_pasted(state: State) -> bool:
    """Returns whether the user selected the audit, or the text follows a request to audit it."""
    return state["asked"].ask.action == "audit" or "audit" in read(state["asked"].text).wanted


async def _bearing_on(services: Services, state: State, text: str) -> tuple[str, ...]:
    """Returns the documents with passages that bear on the clauses of the text to audit, on the most clauses first."""
    asked = state["asked"]
    found: Counter[str] = Counter()
    for clause in (await asyncio.to_thread(split_clauses, text))[:MOST_SEARCHED]:
        query = DocumentQuery(asked.user_id, clause.text, asked.ask.mode, asked.conversation_id)
        sources = (await services.documents.find(query, Deadline(services.settings.deadlines.retrieval))).sources
        found.update({each.document_id for each in sources if each.kind == "document" and _shares(clause.text, each)})
    return tuple(document_id for document_id, _ in found.most_common(MOST_BEARING))


def _shares(clause: str, source: Source) -> bool:
    """Returns whether a passage that was found has enough of the clause's terms."""
    own = keys(clause)
    shared = max((len(own & keys(each.text)) for each in source.passages), default=0)
    return shared >= _LEAST_SHARED and shared >= _SHARED * len(own)


def _is_being_read(document: Document) -> bool:
    return not document.is_stored and document.state in ("pending", "processing")


def _refusal(state: State, inputs: Inputs, found: Validated) -> Response:
    words = EMPTY if found.empty else UNREAD
    text = words.to(state["asked"].language).format(", ".join(inputs.reading))
    return Response(kind="told", text=text, language=state["asked"].language, action=state["asked"].action)
