"""Decides whether the memory answers without a document search, and from which passages.

Documents are still searched in three cases: the question names a document, a company, a period or a figure; the user
asked for the web, for named documents, for deep mode or for a search; or a document newer than the memory is relevant
to the question (docs/specification.md, "Memory first").
"""

from __future__ import annotations

import logging
from dataclasses import replace

from core.events import Searched, Source, Sources
from core.graph.memory.gating import FROM_MEMORY, answering_memories
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full, question_of
from core.graph.tools.by_rule import plain_calls
from core.graph.tracing import node_trace
from core.messages import message
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery

log = logging.getLogger(__name__)


async def gate(services: Services, state: State) -> State:
    emit, trace = node_trace("y")
    with trace.step("gating") as step:
        try:
            plain = plain_calls(services.tools, asked_in_full(state), state["asked"].document_ids or [])
            sources = None if plain or _wants_search(state) else await _sources(services, state)
        except Exception:
            log.warning("the memory was not weighed against a search", exc_info=True)
            sources = None
        step.detail(message("graph.gate.searching" if sources is None else "graph.gate.from_memory"))
    if sources is None:
        return {"found": Found(from_memory=False)}
    searched = Searched(without=list(state["asked"].ask.without), from_memory=True)
    emit(searched)
    emit(Sources(sources=sources, confidence="high"))
    return {"found": Found(from_memory=True, searched=searched, sources=sources, confidence="high")}


def _wants_search(state: State) -> bool:
    asked = state["asked"].document_ids or state["asked"].web_asked or state["asked"].ask.follows
    return bool(asked) or state["asked"].ask.mode == "deep" or FROM_MEMORY in state["asked"].ask.without


async def _sources(services: Services, state: State) -> list[Source] | None:
    """Returns the sources of the memory's answer, or ``None`` if documents must be searched."""
    memories = answering_memories(state["asked"].text, state["found"].meta)
    if not memories or services.memory is None:
        return None
    question, asked = question_of(state), state["asked"]
    query = DocumentQuery(asked.user_id, question.text, asked.ask.mode, asked.conversation_id, analysed=question)
    query = replace(query, known=await services.turn.known(state))
    if await services.documents.names_something(query):
        return None
    grounds = await services.memory.grounds(state, [each.memory_id for each in memories])
    if grounds is None or await _is_overtaken(services, state, query, grounds.since):
        return None
    return await services.documents.cite_known(query, grounds.passages)


async def _is_overtaken(services: Services, state: State, query: DocumentQuery, since: float) -> bool:
    """Returns whether a newer document is relevant to the question; one that is still being processed counts as
    relevant."""
    documents = await services.turn.listed(state)
    later = [each for each in documents if each.added_at > since]
    if not later:
        return False
    if any(each.state in ("pending", "processing") for each in later):
        return True
    found = await services.documents.find(query, Deadline(services.settings.deadlines.retrieval))
    new = {each.id for each in later}
    return any(source.document_id in new for source in found.sources)
