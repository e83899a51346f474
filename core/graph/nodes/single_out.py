"""Which of several look-alikes a question is about, once its passages are found [003 Phase 3.3; spec P1]."""

from __future__ import annotations

import asyncio

from core.events import DocumentRef, DocumentsFound
from core.graph.resolution.ambiguity import Decision, which_document
from core.graph.resolution.records import Listed
from core.graph.services import Services
from core.graph.state import Doubt, Node, State
from core.graph.tracing import node_trace
from core.search.nearness import firm
from core.words import Words


def single_out(services: Services) -> Node:
    """For questions that name no document; an attachment and an organisation that is named speak for themselves."""

    async def node(state: State) -> State:
        if state.get("bound") or any(source.attached for source in state["sources"]):
            return {}
        emit, trace = node_trace("o")
        with trace.step("singling") as step:
            library = await services.library.find(state["user_id"], conversation_id=state["conversation_id"])
            listed = [Listed.of(each) for each in library if each.is_stored]
            decision = await asyncio.to_thread(
                which_document,
                state["question"],
                listed,
                firm(state["sources"]),
                spoken_of=state.get("recent_docs", []),
            )
            step.detail(_said(decision))
        if decision.ask:
            return {"doubts": [_doubt(decision)]}
        if decision.focus:
            titles = {each.id: each.title for each in listed}
            emit(DocumentsFound(documents=[DocumentRef(document_id=d, title=titles[d]) for d in decision.focus]))
            return {"document_ids": list(decision.focus)}
        return {}

    return node


def _doubt(decision: Decision) -> Doubt:
    candidates = [
        DocumentRef(document_id=each.id, title=each.title, hint=each.filename) for each in decision.candidates
    ]
    return Doubt(name="", candidates=candidates, total=decision.total)


def _said(decision: Decision) -> Words:
    if decision.ask:
        return Words(en=f"{decision.total} come into question", he=f"{decision.total} באים בחשבון")
    if decision.focus:
        return Words(en=f"{len(decision.focus)} named", he=f"צוינו {len(decision.focus)}")
    return Words(en="all of them", he="כולם")
