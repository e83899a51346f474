"""Searches for the passages that an answer may use."""

from __future__ import annotations

import asyncio

from core.events import Notice, Searched, Sources
from core.figures.panel.records import SubQuestion
from core.graph.answering.attachments import with_attachments
from core.graph.answering.corrections import with_pinned
from core.graph.answering.whole_tables import with_whole_tables
from core.graph.pending_uploads import wait_for_documents
from core.graph.planning.proposal import may_propose, proposed_steps
from core.graph.services import Services
from core.graph.state import Found, State, question_of
from core.graph.tracing import node_trace
from core.graph.understanding.intent.debate_order import without_debate_order
from core.graph.understanding.intent.web_phrases import without_web_order
from core.graph.understanding.mentions import without_mentions
from core.language.terms import content_terms
from core.messages import message
from core.resilience.dependencies import Deadline
from core.runs.trace import Emit, Trace
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.search import DocumentQuery, DocumentSearchResult
from core.words import Words


async def retrieve(services: Services, state: State) -> State:
    emit, trace = node_trace("r")
    proposes = await may_propose(services, state, question_of(state))
    found, steps = await asyncio.gather(
        _search(services, state, trace), proposed_steps(services, state, trace) if proposes else _no_steps()
    )
    awaited = state["found"].awaited
    if found.confidence == "none" and not (awaited or state["found"].correction or state["asked"].ask.follows):
        # The keyword search found nothing; documents that are still being read or embedded may contain the answer.
        readiness = await wait_for_documents(services, state, emit, trace, meaning=True)
        awaited = [each.id for each in readiness.waiting]
        if readiness.waited:
            found = await _search(services, state, trace)
    found.sources = await with_attachments(services, state, found.sources)
    if services.models.configured:
        found.sources = await with_whole_tables(services, state, found.sources)
    found.sources = await with_pinned(services, state, found.sources)
    share = await services.library.searchable_share(state["asked"].user_id, state["asked"].conversation_id)
    searched = _searched_for(state, found)
    emit(searched)
    # Without a model, the answer itself mentions the missing names.
    for each in searched.absent if services.models.configured else ():
        emit(Notice(words=each.words))
    _emit_sources(emit, found, share)
    return {
        "found": Found(
            searched=searched,
            sources=found.sources,
            confidence=found.confidence,
            bound=found.bound,
            reach=found.reach,
            awaited=awaited,
            plan=steps or state["found"].plan,
            proposed=proposes or state["found"].proposed,
        )
    }


async def _no_steps() -> list[SubQuestion]:
    return []


async def _search(services: Services, state: State, trace: Trace) -> DocumentSearchResult:
    with trace.step("searching") as step:
        found = await services.documents.find(
            DocumentQuery(
                user_id=state["asked"].user_id,
                text=_searched(question_of(state).text),
                analysed=question_of(state),
                known=await services.turn.known(state),
                mode=state["asked"].ask.mode,
                conversation_id=state["asked"].conversation_id,
                document_ids=state["asked"].document_ids,
                completed=state["asked"].completed,
                without=tuple(state["asked"].ask.without),
            ),
            Deadline(services.settings.deadlines.retrieval),
            lambda name: trace.step(name, step),
        )
        step.detail(_retrieval_summary(found))
    return found


def _searched(question: str) -> str:
    """Returns the question without names after ``@`` and without phrases that request a web search or a debate, which
    appear in no passage."""
    text = without_debate_order(without_web_order(without_mentions(question)))
    return text if content_terms(text) else question


def _searched_for(state: State, found: DocumentSearchResult) -> Searched:
    completed = state["asked"].completed
    return Searched(
        chips=found.chips,
        confidence=found.sure,
        question=completed.text if completed else "",
        absent=found.absent,
        without=list(state["asked"].ask.without),
    )


def _retrieval_summary(found: DocumentSearchResult) -> Words:
    sources = firmly_accepted(found.sources)
    passages = sum(len(source.passages) for source in sources)
    return message(
        "graph.retrieve.found",
        candidates=message("search.pipeline.candidates", count=found.candidates),
        passages=message("graph.retrieve.passages", count=passages),
        documents=len(sources),
    )


def _emit_sources(emit: Emit, found: DocumentSearchResult, share: float) -> None:
    for words in found.notices:
        emit(Notice(words=words))
    emit(Sources(sources=found.sources, confidence=found.confidence, searchable_share=share))
